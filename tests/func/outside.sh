# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For tests of programs that are sampled from outside. Source it behind lib.sh.

# need_outside PROGRAM: skip where the kernel permits no perf clock.
need_outside() {
    "$COLLECT" -n "$TARGETS/$1" 2>&1 | grep -q 'sampled from outside' ||
        skip "the kernel permits no perf clock"
}

# share EXPERIMENT FUNCTION: percent of all CPU time, inclusive.
share() {
    "$ER_PRINT" -printmode , -metrics i%totalcpu:name -functions "$1" |
        awk -F, -v f="$2" '{ gsub(/"/, "") } $2 == f { print $1; found = 1 }
            END { if (!found) print 0 }'
}

# reached EXPERIMENT FUNCTION [COMPUTES]: percent of the sampled CPU time with FUNCTION
# in its stack. What a program does before main(), and to create threads, takes longer
# on some machines than on others: a hit counts as reached, too, where its stack begins
# at a root and COMPUTES (spin), in which the target computes, is not in it.
reached() {
    "$ER_PRINT" -stacks ms "$1" | awk -v f="$2" -v computes="${3:-spin}" '
        { n = $NF; sub(/ [^ ]*$/, ""); stack = ";" $0 ";" }
        stack ~ /^;<(startup|exit|unattributed|collector)>;$/ { next }
        { all += n }
        index(stack, ";" f ";") { good += n; next }
        index(stack, ";" computes ";") { next }
        stack ~ /^;(_start|clone3?|__start_context);/ { good += n }
        END { print (all > 0 ? 100 * good / all : 0) }'
}
