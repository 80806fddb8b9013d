#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Records a small log server with three defects and finds them: what leaks, which lock
# is fought for, which file costs time. From a build directory:
#
#   TOP_SRC=.. TOP_BUILD=$PWD bash ../examples/logd.sh
set -eu
: "${TOP_SRC:=$(cd "$(dirname "$0")/.." && pwd)}" "${TOP_BUILD:=$TOP_SRC/build}"
: "${COLLECT:=$TOP_BUILD/collect}" "${ER_PRINT:=$TOP_BUILD/er_print}" "${CC:=gcc}"

dir=$TOP_BUILD/example
mkdir -p "$dir"
"$CC" -O2 -g -pthread -o "$dir/logd" "$TOP_SRC/examples/logd.c"
rm -rf "$dir/logd.er"

# Each command as a user would type it in the example's directory.
show() {
    printf '\n$ %s\n' "$*"
}
print() {
    show er_print "$@" logd.er
    "$ER_PRINT" "$@" logd.er
}
cd "$dir"
show collect -p off -H on -s on -i on -o logd.er ./logd
"$COLLECT" -p off -H on -s on -i on -o logd.er ./logd
print -limit 2 -leaks
print -limit 2 -locks
print -limit 3 -ioactivity
print -limit 3 -iostat
