# SPDX-License-Identifier: Apache-2.0
"""Which two of so many random words are nearest to each other?"""
import itertools
import random
import sys


def distance(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        left, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            left, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, left + (x != y))
    return row[-1]


def word():
    return "".join(random.choices("etaoin shrdlu", k=8))


def main(count):
    words = [word() for _ in range(count)]
    print(min(itertools.combinations(words, 2), key=lambda pair: distance(*pair)))


main(int(sys.argv[1]))
