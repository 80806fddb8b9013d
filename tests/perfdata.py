# SPDX-License-Identifier: Apache-2.0
"""Writes a perf.data file whose truth is known.

usage: perfdata.py FILE ADDRESS-OF-ALPHA ADDRESS-OF-BETA SEGMENT-OFFSET
       SEGMENT-ADDRESS PROGRAM BUILD-ID [big] [pipe]

A process of the program has 3 ms in alpha, called by beta, 1 ms in the kernel, and 7
page faults in beta. It forks a child with 1 ms in alpha, which becomes the program
anew, elsewhere in memory, with 2 ms in beta. Another child with the same number has
4 ms in alpha. 5 samples are lost. The first mapping stands behind the first sample.
"""
import struct
import sys

path, alpha, beta, offset, vaddr, program, buildid = sys.argv[1:8]
alpha, beta, offset, vaddr = (int(x, 16) for x in (alpha, beta, offset, vaddr))
order = ">" if "big" in sys.argv[8:] else "<"
PIPE = "pipe" in sys.argv[8:]
FIRST, SECOND = 0x555500000000, 0x7f0000000000
# IP, TID, TIME, CALLCHAIN, CPU, PERIOD, IDENTIFIER
SAMPLE_TYPE = 1 | 2 | 4 | 32 | 128 | 256 | 65536
USER, KERNEL = 2, 1
KERNEL_PC = 0xffffffff81000010


def pack(form, *values):
    return struct.pack(order + form, *values)


def text(s):
    raw = s.encode() + b"\0"
    return raw + b"\0" * (-len(raw) % 8)


def record(kind, misc, body):
    return pack("IHH", kind, misc, 8 + len(body)) + body


def trailer(pid, tid, time, event=0):
    """sample_id_all: TID, TIME, CPU, IDENTIFIER"""
    return pack("IIQIIQ", pid, tid, time, 0, 0, 1000 + event)


def sample(pid, tid, time, ip, chain, period, event=0, mode=USER):
    body = pack("QQIIQIIQ", 1000 + event, ip, pid, tid, time, 1, 0, period)
    return record(9, mode, body + pack("Q", len(chain)) +
                  b"".join(pack("Q", pc) for pc in chain))


def mmap2(pid, start, time):
    body = pack("IIQQQ", pid, pid, start, 0x100000, offset) + bytes([20, 0]) + \
        pack("H", 0) + bytes.fromhex(buildid) + pack("II", 5, 2) + text(program)
    return record(10, USER | 1 << 14, body + trailer(pid, pid, time))


def comm(pid, name, time, execs=False):
    return record(3, 1 << 13 if execs else 0,
                  pack("II", pid, pid) + text(name) + trailer(pid, pid, time))


def fork(pid, ppid, time):
    return record(7, 0, pack("IIIIQ", pid, ppid, pid, ppid, time) +
                  trailer(pid, pid, time))


def leave(pid, time):
    return record(4, 0, pack("IIIIQ", pid, 1, pid, 1, time) + trailer(pid, pid, time))


def attr(kind, config, period):
    """Flags: sample_id_all; bits of the other order stand the other way round."""
    flags = bytes([0, 0, 4 if order == "<" else 0x20, 0, 0, 0, 0, 0])
    return pack("IIQQQQ", kind, 112, config, period, SAMPLE_TYPE, 0) + flags + \
        bytes(112 - 48)


def user(*pcs):
    return [(1 << 64) - 512, *pcs]


def at(base, pc):
    return base + pc - vaddr


A, B = at(FIRST, alpha) + 4, at(FIRST, beta) + 8
MS = 1000000
# A frame without frame pointers may be followed by any word.
NO_ADDRESS = 7 << 48

records = [comm(100, "sh", 0), sample(100, 100, 1000 * MS, A, user(A, B), MS)]
records += [mmap2(100, FIRST, 500 * MS)]
records += [sample(100, 100, 1001 * MS, A, user(A, B), MS),
            sample(100, 101, 1002 * MS, A, user(A, B, NO_ADDRESS), MS),
            sample(100, 100, 1003 * MS, KERNEL_PC,
                   [(1 << 64) - 128, KERNEL_PC, *user(A, B)], MS, mode=KERNEL),
            sample(100, 100, 1004 * MS, B, user(B), 7, event=1)]
records += [record(40, 0, bytes(16)), record(200, 0, bytes(32)),
            record(2, 0, pack("QQ", 1000, 5) + trailer(100, 100, 1005 * MS))]
records += [fork(200, 100, 1010 * MS),
            sample(200, 200, 1011 * MS, A, user(A), MS),
            comm(200, "next", 1012 * MS, True), mmap2(200, SECOND, 1013 * MS)]
records += [sample(200, 200, (1014 + i) * MS, at(SECOND, beta) + 2,
                   user(at(SECOND, beta) + 2), MS) for i in range(2)]
records += [leave(200, 1020 * MS), fork(200, 100, 1030 * MS)]
records += [sample(200, 200, (1031 + i) * MS, A, user(A), MS) for i in range(4)]
events = [attr(1, 0, MS), attr(1, 2, 7)]
magic = b"PERFILE2" if order == "<" else b"2ELIFREP"
with open(path, "wb") as f:
    if PIPE:
        f.write(magic + pack("Q", 16))
        for i, event in enumerate(events):
            f.write(record(64, 0, event + pack("Q", 1000 + i)))
        f.write(b"".join(records))
    else:
        data = b"".join(records)
        ids_at, attrs_at = 104, 104 + 16
        data_at = attrs_at + 2 * 128
        f.write(magic + pack("QQQQQQQQ", 104, 128, attrs_at, 2 * 128, data_at,
                             len(data), 0, 0) + bytes(32))
        f.write(pack("QQ", 1000, 1001))
        for i, event in enumerate(events):
            f.write(event + pack("QQ", ids_at + 8 * i, 8))
        f.write(data)
