# SPDX-License-Identifier: Apache-2.0
# For argv[1] seconds spins at the ends of random stacks, of functions, methods,
# recursion, generators, coroutines, callbacks from C, and code that is made and dies,
# in two threads. Prints for each spin "THREAD BEGIN END STACK": CLOCK_MONOTONIC in ns,
# and its stack as sys._getframe() has it, the innermost function first.
import asyncio
import functools
import random
import sys
import threading
import time

out = []
end = time.monotonic() + float(sys.argv[1])


def stack():
    frame, names = sys._getframe(1), []
    while frame:
        code = frame.f_code
        module = frame.f_globals.get("__name__", "__main__")
        names.append(("" if module == "__main__" else module + ".") +
                     getattr(code, "co_qualname", code.co_name))
        frame = frame.f_back
    return " ".join(names)


def spin(dice):
    names, until = stack(), time.monotonic_ns() + 4000000
    begin = now = time.monotonic_ns()
    while now < until:
        now = time.monotonic_ns()
    out.append("%s %d %d %s" % (threading.current_thread().name, begin, now, names))
    return 0


def plain(dice):
    return step(dice)


def deep(dice, n=None):
    n = dice.randrange(30) if n is None else n
    return step(dice) if n == 0 else deep(dice, n - 1)


class Thing:
    def __init__(self, dice):
        self.dice = dice
        step(dice)

    @property
    def size(self):
        return step(self.dice)

    @staticmethod
    def größe(dice):
        return step(dice)


def by_property(dice):
    thing = Thing.__new__(Thing)
    thing.dice = dice
    return thing.size


def generator(dice, n):
    for _ in range(n):
        yield step(dice)


def delegating(dice):
    yield from generator(dice, 1)


def loops(dice):
    for _ in delegating(dice):
        pass
    return sum(generator(dice, 1))


async def coroutine(dice, n):
    if n:
        return await coroutine(dice, n - 1)
    await asyncio.sleep(0)
    return step(dice)


def tasks(dice):
    async def both():
        await asyncio.gather(coroutine(dice, 1), coroutine(dice, 2))

    if asyncio._get_running_loop():  # one loop within another is none
        return step(dice)
    asyncio.run(both())


def callbacks(dice):
    sorted([2, 1], key=lambda x: step(dice) if x == 1 else 0)
    list(map(functools.partial(min, key=lambda x: step(dice)), [[1]]))
    return functools.reduce(lambda a, b: step(dice), [1, 2])


def made(dice):
    name = "made%d" % dice.randrange(1000)
    scope = {"step": step}
    exec("def %s(dice):\n  return step(dice)\n" % name, scope)
    return scope[name](dice)


ways = [plain, deep, Thing, Thing.größe, by_property, loops, tasks, callbacks, made]


def step(dice):
    if time.monotonic() > end:
        return 0
    depth = getattr(dice, "depth", 0)
    if depth > 5 or dice.random() < 0.3:
        return spin(dice)
    dice.depth = depth + 1
    try:
        dice.choice(ways)(dice)
    finally:
        dice.depth = depth
    return 0


def work(seed):
    dice = random.Random(seed)
    while time.monotonic() < end:
        step(dice)


def main():
    thread = threading.Thread(target=work, args=(2,), name="other")
    thread.start()
    work(1)
    thread.join()


main()
sys.stdout.buffer.write(("\n".join(out) + "\n").encode())
