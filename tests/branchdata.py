# SPDX-License-Identifier: Apache-2.0
"""Writes a perf.data file with branch stacks from what branch-steps has seen.

usage: branchdata.py FILE STEPS [index] [big] [more] [every N] [depth N]

Without `every`, each sample has the branches since the one before it: all branches of
the run stand in it once. With one less than the depth, all that ran between two does,
and the branch where one sample ends begins the next. index: with the hardware's index;
big: in the other byte order; more: entries have types, and 5 cycles each; every third
is mispredicted.
"""
import os
import struct
import sys

path, steps, *words = sys.argv[1:]
order = ">" if "big" in words else "<"


def word(name, default):
    return int(words[words.index(name) + 1]) if name in words else default


DEPTH = word("depth", 32)
EVERY = word("every", DEPTH)
# IP, TID, TIME, PERIOD, BRANCH_STACK
SAMPLE_TYPE = 1 | 2 | 4 | 256 | 2048
BRANCH_TYPE = 1 | 8 | (1 << 17 if "index" in words else 0)
maps, branches, pid, last = [], [], 1, 0
with open(steps) as f:
    for line in f:
        part = line.split()
        if part[0] == "map":
            maps.append((*(int(x, 16) for x in part[1:4]), " ".join(part[4:])))
        elif part[0] == "pid":
            pid = int(part[1], 16)
        elif part[0] == "at":
            last = int(part[1], 16)
        else:
            branches.append((int(part[0], 16), int(part[1], 16)))


def pack(form, *values):
    return struct.pack(order + form, *values)


def record(kind, misc, body):
    return pack("IHH", kind, misc, 8 + len(body)) + body


def mmap2(start, end, offset, name, time):
    try:
        st = os.stat(name)
        inode, dev = st.st_ino, st.st_dev
    except OSError:
        inode, dev = 0, 0
    raw = name.encode() + b"\0"
    body = pack("IIQQQIIQQII", pid, pid, start, end - start, offset, os.major(dev),
                os.minor(dev), inode, 0, 5, 2) + raw + b"\0" * (-len(raw) % 8)
    return record(10, 2, body + pack("IIQ", pid, pid, time))


def flags(number):
    """Bits: mispredicted, predicted, 2 of transactions, 16 of cycles, 4 of the type."""
    fields = [(number % 3 == 0, 1), (number % 3 != 0, 1), (0, 2)]
    if "more" in words:
        fields += [(5, 16), (1, 4)]
    out, at = 0, 0
    for value, bits in fields:
        out |= int(value) << (at if order == "<" else 64 - at - bits)
        at += bits
    return out


def sample(first, end, time):
    ip = branches[end][0] if end < len(branches) else last
    body = pack("QIIQQ", ip, pid, pid, time, EVERY) + pack("Q", end - first)
    if "index" in words:
        body += pack("Q", 7)
    for i in range(end - 1, first - 1, -1):
        body += pack("QQQ", *branches[i], flags(i))
    return record(9, 2, body)


records = [record(3, 1 << 13, pack("II", pid, pid) + b"prog\0\0\0\0" +
                  pack("IIQ", pid, pid, 1000))]
records += [mmap2(*m, 1001) for m in maps]
for count, end in enumerate(range(EVERY, len(branches) + EVERY, EVERY)):
    first, end = max(0, end - DEPTH), min(end, len(branches))
    records.append(sample(first, end, 2000 + 1000 * count))
bits = bytes([0, 0, 4 if order == "<" else 0x20, 0, 0, 0, 0, 0])
attr = pack("IIQQQQ", 0, 112, 0, EVERY, SAMPLE_TYPE, 0) + bits + bytes(72 - 48) + \
    pack("Q", BRANCH_TYPE) + bytes(112 - 80)
data = b"".join(records)
with open(path, "wb") as f:
    f.write(b"PERFILE2" if order == "<" else b"2ELIFREP")
    f.write(pack("QQQQQQQQ", 104, 128, 104, 128, 232, len(data), 0, 0))
    f.write(pack("QQQQ", 1 << 15, 0, 0, 0))  # there are branch stacks
    f.write(attr + pack("QQ", 0, 0))
    f.write(data + pack("QQ", 232 + len(data) + 16, 0))
