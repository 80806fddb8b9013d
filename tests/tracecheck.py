# SPDX-License-Identifier: Apache-2.0
"""Reads a trace of er_export and checks what its readers rely on.

usage: tracecheck.py FILE [CATEGORY]

Slices of a track are nested, each track has a name, and no time is negative. Prints for
the category, which is cpu unless told, the ns of the outermost slices (of calls, which
may overlap: of all), and how many slices there are.
"""
import json
import sys
from collections import defaultdict
from decimal import Decimal

trace = json.load(open(sys.argv[1]), parse_float=Decimal)
category = sys.argv[2] if sys.argv[2:] else "cpu"
tracks, names = defaultdict(list), set()
for e in trace["traceEvents"]:
    if e["ph"] == "M":
        assert e["args"]["name"]
        names.add((e["pid"], e["tid"], e["name"]))
        continue
    assert e["ph"] == "X" and e["name"] and e["ts"] >= 0 and e["dur"] >= 0, e
    tracks[e["pid"], e["tid"]].append(e)
total = count = 0
for (pid, tid), slices in tracks.items():
    assert (pid, tid, "thread_name") in names, "a track has a name"
    assert (pid, 0, "process_name") in names, "a process has a name"
    open_ends, alone = [], slices[0]["cat"] != "cpu"
    for e in sorted(slices, key=lambda e: (e["ts"], -e["dur"])):
        start, end = e["ts"], e["ts"] + e["dur"]
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        assert alone or not open_ends or end <= open_ends[-1], ("not nested", e)
        if e["cat"] == category:
            count += 1
            total += 0 if open_ends and not alone else int(e["dur"] * 1000)
        open_ends.append(end)
print(total, count)
