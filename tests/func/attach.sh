# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For tests of collect -P. Source it behind lib.sh.

# begin PROGRAM ARGUMENT...: run in the background until it has said `ready`; $pid, its
# output in target.out. It ends when target.in is closed, or by itself.
begin() {
    rm -f target.in target.out
    mkfifo target.in
    "$@" <target.in >target.out 2>target.err &
    pid=$!
    exec {hold}>target.in
    for ((i = 0; i < 3000; i++)); do
        grep -q ready target.out && return
        sleep 0.01
    done
}

# finish: let it end; its status is in $target_status.
finish() {
    exec {hold}>&-
    wait "$pid"
    # shellcheck disable=SC2034 # for the test
    target_status=$?
}

# behind OPTION...: collect -P in the background, until it records; its id is $collect.
# What it says is shown if it does not come to that.
behind() {
    rm -f behind.out
    "$COLLECT" -A off -P "$pid" "$@" >behind.out 2>&1 {hold}>&- &
    collect=$!
    for ((i = 0; i < 3000; i++)); do
        grep -q Creating behind.out 2>/dev/null && return
        kill -0 $collect 2>/dev/null || break
        sleep 0.01
    done
    grep -q Creating behind.out || cat behind.out
}

# say LINE: send it to a target that answers `done`, and wait for that.
say() {
    local before
    before=$(grep -c done target.out)
    echo "$1" >&"$hold"
    for ((i = 0; i < 3000; i++)); do
        [ "$(grep -c done target.out)" -gt "$before" ] && return
        sleep 0.01
    done
}
