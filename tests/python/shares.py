# SPDX-License-Identifier: Apache-2.0
# Uses CPU time in functions and prints what each has used, by the thread's own clock:
# "function seconds". A forked child and a thread do their part; argv[1]: seconds.
import os
import sys
import threading
import time

used = {}


def add(count):
    total = 0
    for i in range(count):
        total += i
    return total


# What they make they free: else that would be their caller's time.
def build(count):
    made = [str(i) + "-" for i in range(count)]
    made.clear()


def order(count):
    made = sorted(range(count), key=lambda i: -i)
    made.clear()


def spend(function, count, seconds):
    clock, begin = time.thread_time, time.thread_time()
    while clock() - begin < seconds:
        function(count)
    used[function.__name__] = clock() - begin


class Runner:
    def run(self, seconds):
        spend(add, 40000, seconds * 0.5)
        spend(build, 5000, seconds * 0.3)
        spend(order, 5000, seconds * 0.2)


def in_child(seconds):
    begin, loops = time.process_time(), 0
    while time.process_time() - begin < seconds:
        loops += 1


def in_thread(seconds):
    spend(add, 40000, seconds)


seconds = float(sys.argv[1])
Runner().run(seconds)
sys.stdout.write("".join("%s %.6f\n" % entry for entry in used.items()))
sys.stdout.flush()
thread = threading.Thread(target=in_thread, args=(seconds * 0.1,))
thread.start()
thread.join()
child = os.fork()
if child == 0:
    in_child(seconds * 0.2)
    os._exit(0)
os.waitpid(child, 0)
