# SPDX-License-Identifier: Apache-2.0
# Writes N bytes to the file argv[1] from many stacks, N = 1 and on, and prints for each
# "N" and its stack as sys._getframe() has it, the innermost function first:
# name@file:line. Names are qualified where this Python has qualified names in code, and
# have their module's before them, but for this script's.
import functools
import os
import sys
import threading

out = []
fd = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)


def stack_from(frame):
    names = []
    while frame:
        code = frame.f_code
        line = {hit: WRITE, in_interpreter: CALL}.get(globals().get(code.co_name),
                                                      frame.f_lineno)
        module = frame.f_globals.get("__name__", "__main__")
        names.append("%s%s@%s:%d" % ("" if module == "__main__" else module + ".",
                                     getattr(code, "co_qualname", code.co_name),
                                     os.path.basename(code.co_filename), line))
        frame = frame.f_back
    return " ".join(names)


def hit(_=None):
    out.append("%d %s" % (len(out) + 1, stack_from(sys._getframe())))
    os.write(fd, b"x" * len(out))  # WRITE
    return 0


with open(__file__) as source:
    text = source.read().split("\n")
WRITE = [i for i, line in enumerate(text, 1) if line.endswith("# WRITE")][0]
CALL = [i for i, line in enumerate(text, 1) if line.endswith("# CALL")][0]


def deep(n):
    return hit() if n == 0 else deep(n - 1)


def gen(n):
    for i in range(n):
        hit()
        yield i


def outer(n):
    yield from gen(n)
    hit()


async def coro(n):
    hit()
    if n:
        await coro(n - 1)


def drive(coroutine):
    try:
        coroutine.send(None)
    except StopIteration:
        pass


class Thing:
    def __init__(self):
        hit()

    def __lt__(self, other):
        hit()
        return False

    @property
    def size(self):
        return hit()

    def __del__(self):
        hit()


def größe_名前_𐐷():
    hit()


def fails():
    try:
        hit()
        raise ValueError
    except ValueError:
        hit()
    finally:
        hit()


def made(i):
    text = "\n" * i + "def made%d():\n  hit()\nmade%d()\n" % (i % 3, i % 3)
    exec(compile(text, "<made-%d>" % i, "exec"), {"hit": hit})


# What runs there cannot see this module: it writes by itself, and leaves its stack.
SCRIPT = """
import os, sys

def hit(fd, count):
    frame, names = sys._getframe(), []
    while frame:
        code = frame.f_code
        line = 11 if code is hit.__code__ else frame.f_lineno
        names.append("%%s@%%s:%%d" %% (code.co_name, code.co_filename, line))
        frame = frame.f_back
    os.write(fd, b"x" * count)
    return names

os.symlink(" ".join(hit(%d, %d)), "names")
"""


def in_interpreter():
    try:
        import _xxsubinterpreters as module
    except ImportError:
        try:
            import _interpreters as module
        except ImportError:
            return
    other = module.create()
    run = getattr(module, "run_string", None) or module.exec
    callers = stack_from(sys._getframe())
    run(other, SCRIPT % (fd, len(out) + 1))  # CALL
    module.destroy(other)
    names = os.readlink("names")  # what it says without another write
    os.unlink("names")
    out.append("%d %s %s" % (len(out) + 1, names, callers))


def in_thread():
    deep(3)
    list(gen(2))
    sorted([2, 1], key=hit)
    in_interpreter()


def main():
    hit()
    deep(50)
    for _ in outer(3):
        hit()
    list(gen(2))
    drive(coro(3))
    sorted([2, 1, 3], key=hit)
    sorted([Thing(), Thing()])
    list(map(lambda x: hit(), [1]))
    functools.reduce(lambda a, b: hit(), [1, 2])
    Thing().size
    [hit() for _ in range(2)]
    größe_名前_𐐷()
    fails()
    for i in range(20):
        made(i)
    in_interpreter()
    thread = threading.Thread(target=in_thread)
    thread.start()
    thread.join()
    (lambda:
     hit(
     ))()
    eval("hit()")


main()
sys.stdout.buffer.write(("\n".join(out) + "\n").encode())
