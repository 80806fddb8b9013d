# SPDX-License-Identifier: Apache-2.0
"""Reads what er_export writes, by readers of its own, and compares with er_print.

usage: exported.py check FORMAT FILE METRIC[=NAME] ER_PRINT [ARGUMENT...] EXPERIMENT
       exported.py top FORMAT FILE NAME     exclusive, inclusive, function on each line

NAME: what the file calls the metric, if not as er_print does.
check: every function of er_print -functions with those arguments has the same exclusive
and inclusive value in the file, and no other is in it; values below 0 are left out.
"""
import gzip
import json
import sys
from collections import defaultdict
from decimal import Decimal
from subprocess import run


def add_stack(table, stack, value):
    """stack: names, root first."""
    if not stack:
        return
    table[stack[-1]][0] += value
    for name in set(stack):
        table[name][1] += value


# CPU time that no hit of the clock stands for: formats of hits do not have it.
NO_HIT = ("<startup>", "<exit>", "<unattributed>")


def new_table():
    return defaultdict(lambda: [0, 0])


def read_folded(path, metric):
    table = new_table()
    for line in open(path, encoding="utf-8", errors="surrogateescape"):
        stack, value = line.rstrip("\n").rsplit(" ", 1)
        add_stack(table, stack.split(";"), int(value))
    return table


def fields(data):
    """(number, value) of a message of protocol buffers."""
    def varint(at):
        value = shift = 0
        while True:
            byte = data[at]
            value |= (byte & 127) << shift
            shift += 7
            at += 1
            if byte < 128:
                return value, at
    at = 0
    while at < len(data):
        key, at = varint(at)
        if key & 7 == 0:
            value, at = varint(at)
        else:
            assert key & 7 == 2, "a wire type that profiles do not have"
            size, at = varint(at)
            value, at = data[at:at + size], at + size
            assert len(value) == size, "a field that is cut"
        yield key >> 3, value


def packed(data):
    numbers, value, shift = [], 0, 0
    for byte in data:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(value - (1 << 64) if value >> 63 else value)
            value = shift = 0
    return numbers


def read_pprof(path, metric):
    profile = defaultdict(list)
    for number, value in fields(gzip.open(path).read()):
        profile[number].append(value)
    text = [s.decode() for s in profile[6]]
    types = [text[dict(fields(t))[1]] for t in profile[1]]
    assert text[profile[14][0]] == types[0], "the default is the first type"
    function = {}
    for f in map(dict, map(fields, profile[5])):
        function[f[1]] = text[f[2]]
    mapping = {m[1]: m for m in map(dict, map(fields, profile[3]))}
    location = {}
    for data in profile[4]:
        lines = [dict(fields(v))[1] for n, v in fields(data) if n == 4]
        rest = {n: v for n, v in fields(data) if n != 4}
        if 3 in rest:
            m = mapping[rest[2]]
            assert m[2] <= rest[3] < m[3], "an address is within its mapping"
            assert text[m[5]], "a mapping has a file"
        location[rest[1]] = [function[f] for f in lines]
    table, at = new_table(), types.index(metric)
    for sample in profile[2]:
        parts = dict(fields(sample))
        stack = [name for l in packed(parts[1]) for name in location[l]]
        value = packed(parts[2])[at]
        if value:
            add_stack(table, stack[::-1], value)
    return table


def read_speedscope(path, metric):
    data = json.load(open(path))
    names = [f["name"] for f in data["shared"]["frames"]]
    table = new_table()
    for p in data["profiles"]:
        if p["name"] != metric:
            continue
        assert p["type"] == "sampled" and len(p["samples"]) == len(p["weights"])
        assert p["startValue"] == 0 and p["endValue"] == sum(p["weights"])
        for stack, value in zip(p["samples"], p["weights"]):
            add_stack(table, [names[i] for i in stack], value)
    return table


def read_callgrind(path, metric):
    table, names, events, at = new_table(), {}, None, None
    seen = defaultdict(int)

    def name_of(text):
        number, _, name = text.partition(" ")
        assert names.setdefault(number, name) == name, "a number has one name"
        return name

    for line in open(path):
        key, _, rest = line.rstrip("\n").partition("=")
        if line.startswith("events:"):
            events = line.split()[1:]
            at = events.index(metric) + 1
        elif line.startswith("summary:"):
            total = int(line.split()[at])
        elif key == "fn":
            function = name_of(rest)
            assert function not in seen, "a function stands once"
            seen[function] = 1
        elif key == "cfn":
            called = True
        elif line[0].isdigit():
            values = line.split()
            assert len(values) == len(events) + 1
            value = int(values[at])
            table[function][0] += 0 if called else value
            table[function][1] += value
            called = False
        if key in ("fn", "ob", "fl"):
            called = False
    assert total == sum(v[0] for v in table.values()), "the summary is the sum"
    assert table.pop("<Total>") == [0, total], "the root calls all"
    return {n: v for n, v in table.items() if v != [0, 0]}


def columns(table, *references):
    """Checks one table: columns are equally long; references are (column, limit)."""
    for name, column in table.items():
        if isinstance(column, list):
            assert len(column) == table["length"], f"the length of {name}"
    for name, limit, *none in references:
        for at in table[name]:
            assert at in none or type(at) is int and 0 <= at < limit, (name, at, limit)
    return table["length"]


def check_firefox_thread(thread, profile):
    """All that the site relies on: numbers of rows are in range, times in order."""
    kinds = len(profile["meta"]["categories"])
    libs, strings = len(profile["libs"]), len(thread["stringArray"])
    assert len(set(thread["stringArray"])) == strings, "a string stands once"
    resources = columns(thread["resourceTable"], ("name", strings), ("lib", libs))
    symbols = columns(thread["nativeSymbols"], ("name", strings), ("libIndex", libs))
    funcs = columns(thread["funcTable"], ("name", strings), ("resource", resources, -1),
                    ("fileName", strings, None))
    frames = columns(thread["frameTable"], ("func", funcs), ("category", kinds),
                     ("nativeSymbol", symbols, None))
    table = thread["stackTable"]
    stacks = columns(table, ("frame", frames), ("category", kinds))
    for i, prefix in enumerate(table["prefix"]):
        assert prefix is None or 0 <= prefix < i, "a caller comes before"
    samples, markers = thread["samples"], thread["markers"]
    columns(samples, ("stack", stacks, None))
    assert samples["weightType"] == "tracing-ms"
    assert samples["time"] == sorted(samples["time"]), "samples are in order"
    columns(markers, ("name", strings), ("category", kinds))
    types = {schema["name"] for schema in profile["meta"]["markerSchema"]}
    for start, end, data in zip(markers["startTime"], markers["endTime"],
                                markers["data"]):
        assert 0 <= start <= end and data["type"] in types
        assert "cause" not in data or 0 <= data["cause"]["stack"] < stacks


def read_firefox(path, metric):
    """metric: totalcpu, or system for the samples of the kernel's category."""
    profile = json.load(open(path), parse_float=Decimal)
    assert profile["meta"]["preprocessedProfileVersion"] == 48
    assert profile["meta"]["interval"] > 0 and profile["meta"]["startTime"] > 0
    names = [c["name"] for c in profile["meta"]["categories"]]
    table = new_table()
    for thread in profile["threads"]:
        check_firefox_thread(thread, profile)
        stacks, frames = thread["stackTable"], thread["frameTable"]
        name = [thread["stringArray"][i] for i in thread["funcTable"]["name"]]
        samples = thread["samples"]
        for at, weight, delta in zip(samples["stack"], samples["weight"],
                                     samples["threadCPUDelta"]):
            assert weight * 10**6 == delta, "the weight is the CPU time"
            if metric == "system" and names[stacks["category"][at]] != "Kernel":
                continue
            stack = []
            while at is not None:
                stack.append(name[frames["func"][stacks["frame"][at]]])
                at = stacks["prefix"][at]
            add_stack(table, stack[::-1], delta)
    return table


def functions(er_print, metric, arguments):
    """(name, exclusive, inclusive) of er_print, <Total> first."""
    out = run([er_print, "-printmode", "json", "-name", "long", *arguments[:-1],
               "-metrics", f"e.{metric}:i.{metric}:name", "-sort", f"e.{metric}",
               "-functions", arguments[-1]], capture_output=True, check=True)
    table = json.loads(out.stdout, parse_float=Decimal)["tables"][0]
    scale = 10**9 if any(c["unit"] == "sec." for c in table["columns"]) else 1
    rows = []
    for row in table["rows"]:
        numbers = [int(v * scale) for v in list(row.values())[:2]]
        rows.append((row["name"], *numbers))
    return rows


def same_name(got, name):
    return got == name or got.startswith((name + " (", name + " ["))


def check(readers, kind, path, metric, er_print, *arguments):
    metric, _, shown = metric.partition("=")
    got = readers[kind](path, shown or metric)
    rows = functions(er_print, metric, arguments)
    wanted, bad, total = defaultdict(list), [], 0
    for name, excl, incl in rows[1:]:
        if kind == "firefox" and name in NO_HIT:
            continue
        total += max(excl, 0)
        name = name.replace(";", ":") if kind == "folded" else name
        if incl > 0:
            wanted[name].append([max(excl, 0), incl])
    for name, values in wanted.items():
        found = [v for n, v in got.items() if same_name(n, name)] \
            if len(values) > 1 else [got[name]] if name in got else []
        if sorted(found) != sorted(values):
            bad.append(f"{name}: er_print has {values}, the file {found}")
    if len(got) != sum(map(len, wanted.values())):
        bad.append(f"{len(got)} functions, er_print has {len(rows) - 1}")
    if sum(v[0] for v in got.values()) != total:
        bad.append("the total differs")
    if not got:
        bad.append("nothing is there")
    print("\n".join(bad[:10]) if bad else f"{len(got)} functions, total {total}")
    return bool(bad)


def main():
    readers = {name[5:]: f for name, f in globals().items()
               if name.startswith("read_")}
    if sys.argv[1] == "check":
        return check(readers, *sys.argv[2:])
    table = readers[sys.argv[2]](sys.argv[3], sys.argv[4])
    for name, (excl, incl) in sorted(table.items(), key=lambda r: (-r[1][0], r[0])):
        print(excl, incl, name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
