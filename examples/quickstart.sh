#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Profiles a small ray tracer and prints what it found: hot functions, the call tree,
# and the hottest function's source. ./quickstart runs it; from a build directory:
#
#   TOP_SRC=.. TOP_BUILD=$PWD bash ../examples/quickstart.sh
set -eu
: "${TOP_SRC:=$(cd "$(dirname "$0")/.." && pwd)}" "${TOP_BUILD:=$TOP_SRC/build}"
: "${COLLECT:=$TOP_BUILD/collect}" "${ER_PRINT:=$TOP_BUILD/er_print}" "${CXX:=g++}"

dir=$TOP_BUILD/example
mkdir -p "$dir"
"$CXX" -std=c++17 -O2 -g -pthread -I "$TOP_SRC/collector/preload" \
    -o "$dir/rays" "$TOP_SRC/examples/rays.cc"
rm -rf "$dir/rays.er"

# Each command as a user would type it in the example's directory.
show() {
    printf '\n$ %s\n' "$*"
}
cd "$dir"
show collect -p hi -o rays.er ./rays 1280 '>picture.ppm'
"$COLLECT" -p hi -o rays.er ./rays 1280 >picture.ppm
show er_print -limit 12 -functions rays.er
"$ER_PRINT" -limit 12 -functions rays.er
show er_print -limit 25 -calltree rays.er
"$ER_PRINT" -limit 25 -calltree rays.er
show er_print -regions rays.er
"$ER_PRINT" -regions rays.er
show er_print -source nearest rays.er
"$ER_PRINT" -source nearest rays.er
printf '\nThe experiment is %s.\n' "$dir/rays.er"
