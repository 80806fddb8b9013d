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

# reached EXPERIMENT FUNCTION: percent of the sampled CPU time: without what a program
# uses before the first sample and after the last one, which depends on the load.
reached() {
    "$ER_PRINT" -printmode , -metrics i%totalcpu:name -functions "$1" |
        awk -F, -v f="$2" '{ gsub(/"/, "") } $2 == f { n = $1 }
            $2 ~ /^<(startup|exit|unattributed|collector)>$/ { other += $1 }
            END { print other < 100 ? 100 * n / (100 - other) : 0 }'
}
