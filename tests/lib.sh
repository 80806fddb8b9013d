# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced first by every functional test and check: . "$TOP_SRC/tests/lib.sh"
#
# A test says what it found, one line a finding, through the functions below:
# "ok - what" or "not ok - what". It fails when one line is "not ok", when it ends
# with another status than 0, or when it found nothing at all. skip ends it early.
#
# From the runner: TOP_SRC, TOP_BUILD, COLLECT, ER_PRINT, ER_ARCHIVE, ER_CP, ER_MV,
# ER_RM, ER_LABEL, ER_SRC, ER_EXPORT, ER_HTML, ER_IMPORT, ER_KERNEL, TARGETS, CC, CXX,
# and TMP, an empty directory, which is also the working directory and HOME.
set -u

lib_found=0
lib_failed=0

ok() {
    lib_found=$((lib_found + 1))
    echo "ok - $*"
}

# Further lines of explanation go behind it with note.
not_ok() {
    lib_found=$((lib_found + 1))
    lib_failed=$((lib_failed + 1))
    echo "not ok - $*"
}

note() {
    printf '%s\n' "$*" | sed 's/^/    /'
}

# skip REASON: what the test needs is not here.
skip() {
    echo "skip: $*"
    lib_skipped=yes
    exit 77
}

# expect WHAT COMMAND...: the command succeeds. Use "!" as its first word to negate.
expect() {
    local what=$1
    shift
    if [ "$1" = "!" ]; then
        shift
        if "$@"; then not_ok "$what" && note "succeeded: $*"; else ok "$what"; fi
    elif "$@"; then
        ok "$what"
    else
        not_ok "$what" && note "failed: $*"
    fi
}

# is WHAT GOT WANTED: the same text.
is() {
    if [ "$2" = "$3" ]; then
        ok "$1"
    else
        not_ok "$1"
        note "got:    $2"
        note "wanted: $3"
    fi
}

# has WHAT TEXT REGEX: a line of the text matches (extended regular expression).
has() {
    if grep -Eq -e "$3" <<<"$2"; then
        ok "$1"
    else
        not_ok "$1"
        note "no line matches $3 in:"
        note "$2"
    fi
}

# lacks WHAT TEXT REGEX: no line of the text matches.
lacks() {
    if ! grep -Eq -e "$3" <<<"$2"; then
        ok "$1"
    else
        not_ok "$1"
        note "a line matches $3 in:"
        note "$2"
    fi
}

# near WHAT GOT WANTED TOLERANCE: numbers, |got - wanted| <= tolerance.
near() {
    if awk -v g="$2" -v w="$3" -v t="$4" 'BEGIN {
            number = "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?$"
            if (g !~ number || w !~ number || t !~ number) exit 1
            d = g - w; if (d < 0) d = -d; exit !(d <= t + 0) }'; then
        ok "$1"
    else
        not_ok "$1"
        note "got $2, wanted $3 within $4"
    fi
}

# run COMMAND...: its output goes to $out, its errors to $err, its status to $status.
# shellcheck disable=SC2034 # they are for the test
run() {
    "$@" >"$TMP/.out" 2>"$TMP/.err" </dev/null
    status=$?
    out=$(cat "$TMP/.out")
    err=$(cat "$TMP/.err")
}

# need COMMAND...: each is installed, or the test skips.
need() {
    local c
    for c in "$@"; do
        command -v "$c" >/dev/null 2>&1 || skip "$c is not installed"
    done
}

# need_target NAME...: each was built, or the test skips. The source must exist: a
# misspelt name fails.
need_target() {
    local t stem
    for t in "$@"; do
        [ -e "$TARGETS/$t" ] && continue
        stem=$t
        while ! compgen -G "$TOP_SRC/tests/targets/$stem.*" >/dev/null; do
            case $stem in
                *-*) stem=${stem%-*} ;;
                *)
                    not_ok "target $t has a source"
                    exit 1
                    ;;
            esac
        done
        skip "target $t was not built: its compiler is not installed"
    done
}

# True when git knows the source tree.
have_git() {
    [ -e "$TOP_SRC/.git" ] && git -C "$TOP_SRC" ls-files >/dev/null 2>&1
}

# libc_rows LIBRARY: functions that it replaces, by collector/libc/libc.def.
libc_rows() {
    local entry="$1"
    case $1 in
        IO) entry='IO(_[A-Z_]+)?\(|, IO_OWN' ;;
        WAIT) entry='WAIT' ;;
        *) entry="$1[,)]" ;;
    esac
    sed -e ':a' -e 'N;$!ba' -e 's/,\n  */, /g' "$TOP_SRC/collector/libc/libc.def" |
        sed -nE "/^CALL\(/!d; /, $entry/s/^CALL\([^,]*, *([A-Za-z0-9_]+).*/\1/p" |
        sort -u
}

# tree_files [PATTERN...]: the project's own files, from the top ("*" matches slashes
# too). Without git: all but build directories and what autotools made.
tree_files() {
    local f p
    if have_git; then
        git -C "$TOP_SRC" ls-files -c -o --exclude-standard
    else
        (cd "$TOP_SRC" && find . -mindepth 1 -type d '(' -name .git -o -name aux \
            -o -name autom4te.cache -o -exec test -e '{}/config.status' ';' ')' -prune \
            -o -type f ! -path './m4/l*' -print) |
            sed -E 's,^\./,,; /^(configure|aclocal\.m4|config\.h.*|Makefile\.in)$/d'
    fi | sort -u | while read -r f; do
        for p in "${@:-*}"; do
            # shellcheck disable=SC2254 # a pattern
            case $f in $p) [ ! -f "$TOP_SRC/$f" ] || echo "$f" && break ;; esac
        done
    done
}

# none WHAT LIST: the list of offenders is empty; else they are shown.
none() {
    if [ -z "$2" ]; then
        ok "$1"
    else
        not_ok "$1"
        note "$2"
    fi
}

lib_end() {
    local code=$?
    [ -z "${lib_skipped:-}" ] || exit 77
    [ $lib_failed -eq 0 ] || exit 1
    if [ $code -eq 0 ] && [ $lib_found -eq 0 ]; then
        not_ok "the test found something out"
        exit 1
    fi
    exit $code
}
trap lib_end EXIT

# tables [SEPARATOR]: those of json documents, each as a line of names and its rows.
tables() {
    python3 -c 'import csv, json, sys
text = sys.stdin.read()
decode = json.JSONDecoder(parse_int=str, parse_float=str).raw_decode
out = csv.writer(sys.stdout, delimiter=sys.argv[1], lineterminator="\n")
def plain(v):
    return str(v).lower() if isinstance(v, bool) else ";".join(v) \
        if isinstance(v, list) else "" if v is None else v
while text.strip():
    doc, end = decode(text.lstrip())
    text = text.lstrip()[end:]
    for table in doc["tables"]:
        out.writerow(c["title"] + (" (%s)" % c["unit"] if c["unit"] else "")
                     for c in table["columns"])
        for row in table["rows"]:
            out.writerow(map(plain, row.values()))' "${1:-,}"
}
