# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For tests of doc/TARGETS.md: a table, behaviour and outcome, which these tests print
# and hold against the page. Source it behind lib.sh. UPDATE_TARGETS=1 writes the rows
# that were run into the page of the source tree.

table_page=$TOP_SRC/doc/TARGETS.md
export ASAN_OPTIONS=detect_leaks=0

table_write() { # WHAT OUTCOME
    local mark="| --- | --- |"
    exec {lock}<"$table_page" && flock "$lock" # other tests write beside this one
    grep -vF -e "| $1 |" "$table_page" >page
    sed -n "1,/^$mark\$/p" page >new
    { sed "1,/^$mark\$/d" page && echo "| $1 | $2 |"; } | grep '^|' |
        LC_ALL=C sort >>new
    cp new "$table_page"
    exec {lock}<&-
}

# 1 = the target has a child that computes for so short a time that the summary mentions
# it on slow machines only.
brief_child=

# outcome DIRECTORY: in words, from the experiment and what collect said ($err).
outcome() {
    local reason lost from=
    lost=$(sed -nE 's/.*id="descendant_lost".* arg2="([^"]*)".*/\1/p' \
        "$1"/{,_*/}log.xml 2>/dev/null | sort -u | head -n 1)
    if [ -z "$lost" ] && [ -z "$brief_child" ] &&
        "$ER_PRINT" -header "$1" | grep -q "are in no experiment"; then
        lost="only its CPU time is known"
    fi
    if grep -q 'id="outside"' "$1/log.xml"; then
        from=", from outside: its CPU time"
    fi
    reason=$(sed -nE 's/.* the collector \((.*)\): only its resource.*/\1/p' <<<"$err")
    if [ -n "$reason" ]; then
        echo "resource use only: $reason"
    elif grep -q 'id="seccomp"' "$1/log.xml"; then
        echo "recorded up to the filter"
    elif grep -q 'id="restricted"' "$1/log.xml"; then
        echo "recorded, less what the filter forbids"
    elif [ "$("$ER_PRINT" -printmode , -metrics e.totalcpu:name -functions "$1" |
        grep -vc '<')" -gt 1 ]; then
        [ -z "$lost" ] || lost=", but for a descendant: $lost"
        echo "recorded$from$lost"
    else
        echo "nothing recorded"
    fi
}

# stands WHAT WORDS: the row is on the page.
stands() {
    [ -z "${UPDATE_TARGETS:-}" ] || table_write "$1" "$2"
    if grep -qF "| $1 | $2 |" "$table_page"; then
        ok "$1: $2"
    else
        not_ok "$1: as in doc/TARGETS.md"
        note "$1: $2"
    fi
}

# shown WHAT WORDS: the row of what the findings since the last such line have shown.
shown_failed=0
shown() {
    if [ $lib_failed = $shown_failed ]; then
        stands "$1" "$2"
    else
        not_ok "$1: what was found before is not as in doc/TARGETS.md"
    fi
    shown_failed=$lib_failed
}

# row WHAT OPTIONS COMMAND...: run it plain, and under collect with the options (one
# word); the output and the status are the same, and the outcome is the page's.
row() {
    local what=$1 options=$2 plain plain_status words
    shift 2
    plain=$(timeout 30 "$@" 2>/dev/null </dev/null)
    plain_status=$?
    rm -rf t.er log
    # shellcheck disable=SC2086 # words
    run timeout 60 "$COLLECT" -A off $options -O log -o t.er "$@"
    if [ "$out" != "$plain" ] || [ "$status" != "$plain_status" ]; then
        not_ok "$what: the same output and status"
        note "plain, $plain_status:" "$plain" "recorded, $status:" "$out" "$err"
        return
    fi
    err=$(cat log)
    stands "$what" "$(outcome t.er)"
}

# rows_are_known: each row of the page stands in some test that makes rows.
rows_are_known() {
    local what
    while IFS='|' read -r _ what _; do
        what=${what# }
        what=${what% }
        grep -qhF -e "\"$what\"" "$TOP_SRC"/tests/func/*.test || echo "$what"
    done < <(sed '1,/^| --- | --- |$/d' "$table_page" | grep '^|')
}
