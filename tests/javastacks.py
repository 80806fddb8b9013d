# SPDX-License-Identifier: Apache-2.0
"""Java's stacks as er_print -iocallstack has them, beside what a program saw itself.

usage: javastacks.py CLASS ROOT JSON TRUTH

At each point the program wrote another number of bytes, in CLASS.point(), and a line of
TRUTH: that number, and the frames from ROOT on, each as class.method:line. Prints how
many points agree, of how many, and how many stacks differ from each other. A stack of
which <omitted> frames are missing agrees if what is there is the end of a true one.
"""
import json
import re
import sys
from collections import Counter

hidden = re.compile(r'(\$\$Lambda|LambdaForm\$[A-Z]+)[^:(]*(\.[^.:(]+)$')


def name(text):
    return hidden.sub(r'\1\2', text.split('(')[0])


def ours(path, place, root):
    out = Counter()
    for row in json.load(open(path))['tables'][0]['rows']:
        at, frames = False, []
        for frame in row['stack']:
            if frame == '<omitted>':
                frames.append(frame)
                break
            line = re.search(r':(\d+)\)$', frame)
            if at and re.match(r'[\w.$/]+\.[\w<>$]+\(', frame) and '::' not in frame:
                frames.append((name(frame), int(line.group(1)) if line else 0))
            if frame.startswith(place + '.point('):
                at = True
            if frame.startswith(root + '('):
                break
        if at:
            out[tuple(reversed(frames))] += row['write_bytes'] or 0
    return out


def theirs(path):
    out, points = Counter(), Counter()
    for text in open(path):
        n, *frames = text.split()
        pairs = [frame.rsplit(':', 1) for frame in frames]
        key = tuple((name(f), int(line)) for f, line in pairs)
        out[key] += int(n)
        points[key] += 1
    return out, points


def is_end(frames, truth):
    """Are these frames, below a hole, the innermost ones of some true stack?"""
    n = len(frames)
    return n > 0 and any(key[-n:] == frames for key in truth)


def agreeing(a, b, points):
    holes = {key for key in a if key[0] == '<omitted>'}
    if a == b:
        return sum(points.values())
    # Bytes stand for points: nobody knows which point of a stack is missing.
    good = sum(min(a.get(key, 0), b[key]) for key in b)
    good += sum(a[key] for key in holes if is_end(key[1:], b))
    return sum(points.values()) * min(good, sum(b.values())) // sum(b.values())


def main():
    place, root, json_path, truth_path = sys.argv[1:]
    a, (b, points) = ours(json_path, place, root), theirs(truth_path)
    print(agreeing(a, b, points), sum(points.values()), len(b))


main()
