# SPDX-License-Identifier: Apache-2.0
# What hits.py printed, argv[1], against its experiment's events, argv[2]: prints how
# many hits have the stack of the spin that they fell into, and how many another.
import bisect
import json
import re
import sys

native = re.compile(r"(_start|__libc_start\w*|start_thread|(__)?clone3?|<static>.*|"
                    r"<(lib)?python.*|clock_gettime|__\w+|pthread_\w+|"
                    r"lll_\w+|task_step\w*|TaskStep\w*|cfunction_\w*)$")
spins = {"MainThread": [], "other": []}
for line in open(sys.argv[1], encoding="utf-8"):
    words = line.split()
    if words and words[0] in spins:
        spins[words[0]].append((int(words[1]), int(words[2]), words[3:]))
rows = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
base = [row["mono"] - row["time_ns"] for row in rows if row["record"] == "sample"][0]
right = wrong = 0
for row in rows:
    if row["record"] != "clock":
        continue
    mine = spins["MainThread" if row["thread"] == 1 else "other"]
    at = bisect.bisect_right(mine, (row["time_ns"] + base,)) - 1
    if at < 0 or row["time_ns"] + base > mine[at][1]:
        continue
    stack = [re.sub(r"^<module> .*", "<module>", name) for name in row["stack"]]
    wanted = mine[at][2]
    # What may be C's is left out, but not where it is Python's after all.
    got = [name for name in reversed(stack) if name in wanted or not native.match(name)]
    if got == wanted:
        right += 1
    else:
        wrong += 1
        if wrong < 4:
            print("got", got, "wanted", wanted, file=sys.stderr)
print(right, wrong)
