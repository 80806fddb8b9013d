# SPDX-License-Identifier: Apache-2.0
# For tests of the page in a browser, after tests/lib.sh: skips where one is missing.
# shellcheck shell=bash
need node
chromium=$(command -v chromium || command -v chromium-browser)
[ "$chromium" ] || skip "chromium is not installed"
[ -d "$TOP_SRC/html/node_modules/playwright-core" ] ||
    skip "html/node_modules is not there (npm ci makes it)"
export CHROMIUM=$chromium

# findings COMMAND...: its lines "ok - ..." and "not ok - ..." are findings.
findings() {
    local line
    "$@" >findings.out 2>findings.err || true
    grep -q '^ok - ' findings.out || not_ok "it found something: $*"
    while IFS= read -r line; do
        case $line in
        "ok - "*) ok "${line#ok - }" ;;
        "not ok - "*) not_ok "${line#not ok - }" ;;
        *) note "$line" ;;
        esac
    done <findings.out
    grep -q '^not ok' findings.out && note "$(cat findings.err)"
    return 0
}
