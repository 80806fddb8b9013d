# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# For the tests of er_archive: experiments made by hand, and what is in object files.
# The user's cache is the test's own: $HOME is its empty directory.

dump=$TOP_BUILD/ero_dump

# build_id FILE: hex digits, or nothing.
build_id() {
    readelf -n "$1" 2>/dev/null | sed -n 's/.*Build ID: //p' | head -n 1
}

# object_row ID FILE: its element of map.xml.
object_row() {
    local id
    id=$(build_id "$2")
    printf '<object id="%d" kind="file" time="1" lo="0x1000" hi="0x2000" name="%s"' \
        "$1" "$2"
    [ -z "$id" ] || printf ' buildid="%s"' "$id"
    printf ' fsize="%s" mtime="%s"/>\n' "$(stat -Lc %s "$2")" \
        "$(stat -Lc %.9Y "$2" | tr -d .)"
}

# experiment NAME FILE...: makes NAME with a map of these objects.
experiment() {
    local dir=$1 i=0 file
    shift
    rm -rf "$dir"
    mkdir "$dir"
    {
        echo '<?xml version="1.0" encoding="UTF-8"?>'
        echo '<map version="1">'
        for file; do
            i=$((i + 1))
            object_row $i "$file"
        done
        echo '</map>'
    } >"$dir/map.xml"
}

# describe FILE: archives it alone; its object file is then $ero.
describe() {
    experiment one.er "$(realpath "$1")"
    "$ER_ARCHIVE" -F one.er || note "er_archive: status $?"
    ero=$(echo one.er/archives/*.ero)
}

# addresses FILE [STEP]: of its instructions, one in STEP.
addresses() {
    objdump -d --no-show-raw-insn "$1" |
        awk -v step="${2:-1}" '/^ +[0-9a-f]+:/ && n++ % step == 0 {
            sub(":", ""); print $1 }'
}

# answers: from `ero_dump where`, "ADDRESS NAME FILE:LINE NAME FILE:LINE..." innermost
# first. The last name, which may be one of several aliases, is "-"; so are all where
# addr2line is the one that does not know them all.
answers() {
    awk -F ' [|] ' -v names="$([ "$a2l" = addr2line ] || echo 1)" '{
        line = $1
        for (i = 2; i <= NF; i++) {
            n = $i; p = $i; sub(/ [^ ]*$/, "", n); sub(/.* /, "", p)
            line = line " " (names && i < NF ? n : "-") " " p
        }
        print line }' | plain
}

# plain: one spelling of what is not known, and of paths.
plain() {
    sed -E -e 's,/(\./)+,/,g; s,//+,/,g; s/ \.\// /g' \
        -e 's/ \(discriminator [0-9]+\)//g; s/:\?( |$)/:0\1/g' \
        -e 's/ [^ ]+:0( |$)/ :0\1/g; s/ [^ ]+:0( |$)/ :0\1/g'
}

# The most knowing addr2line that is installed; a2l.
for a2l in llvm-addr2line $(compgen -c llvm-addr2line- | sort -u) addr2line; do
    command -v "$a2l" >/dev/null && break
done

# truth FILE: the same by addr2line, from addresses on standard input.
truth() {
    "$a2l" -a -f -i -e "$1" | awk -v names="$([ "$a2l" = addr2line ] || echo 1)" '
        function flush(    i, line) {
            if (!n) return
            line = address
            for (i = 1; i <= n; i += 2)
                line = line " " (names && i + 2 <= n ? part[i] : "-") " " part[i + 1]
            print line
        }
        /^0x[0-9a-f]+$/ {
            flush()
            n = 0; address = $0; sub(/^0x0*/, "", address)
            next
        }
        { part[++n] = $0 }
        END { flush() }' | plain
}

# differing GOT WANTED: how many lines of two files differ. Where addr2line has the name
# as in the source, ours may have a scope in front of it, or be a mangled one.
differing() {
    paste -d '\n' "$1" "$2" | awk '
        function same_name(got, want,    tail) {
            if (got == want) return 1
            tail = "::" want
            if (substr(got, length(got) - length(tail) + 1) == tail) return 1
            sub(/[<~].*/, "", want)
            return got ~ /^_Z/ && index(got, want)
        }
        function same(got, want,    g, w, place) {
            if ($1 != address) return 0
            sub(/^[^ ]* /, "", got)
            sub(/^[^ ]* /, "", want)
            while (match(want, / [^ ]*:[0-9]+( |$)/)) {
                w = substr(want, 1, RSTART - 1)
                place = substr(want, RSTART, RLENGTH)
                want = substr(want, RSTART + RLENGTH)
                if (!match(got, / [^ ]*:[0-9]+( |$)/)) return 0
                g = substr(got, 1, RSTART - 1)
                if (substr(got, RSTART, RLENGTH) != place) return 0
                got = substr(got, RSTART + RLENGTH)
                if (!same_name(g, w)) return 0
            }
            return got == want
        }
        NR % 2 { a = $0; address = $1; next }
        !same(a, $0)' | wc -l
}
