/* SPDX-License-Identifier: Apache-2.0 */
#include "share/fmt.h"

void
fmt_char(struct fmt *f, char c)
{
    if (f->at < f->end)
        *f->at++ = c;
    else
        f->cut = 1;
}

void
fmt_bytes(struct fmt *f, const char *s, size_t len)
{
    for (size_t i = 0; i < len; i++)
        fmt_char(f, s[i]);
}

void
fmt_str(struct fmt *f, const char *s)
{
    while (*s)
        fmt_char(f, *s++);
}

void
fmt_u64(struct fmt *f, u64 v)
{
    char digits[20];
    int n = 0;

    do
        digits[n++] = (char)('0' + v % 10);
    while (v /= 10);
    while (n)
        fmt_char(f, digits[--n]);
}

void
fmt_i64(struct fmt *f, int64_t v)
{
    if (v < 0)
        fmt_char(f, '-');
    fmt_u64(f, v < 0 ? 0 - (u64)v : (u64)v);
}

void
fmt_hex(struct fmt *f, u64 v, int digits)
{
    int shift = 60;

    while (shift > 0 && shift >= 4 * digits && !(v >> shift))
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        fmt_char(f, "0123456789abcdef"[v >> shift & 15]);
}

/*
 * Length of the UTF-8 sequence at s, if it has 2 to 4 bytes (RFC 3629) and XML allows
 * its character; else 0, also for ASCII.
 */
static size_t
utf8_len(const unsigned char *s, size_t len)
{
    static const struct {
        unsigned char lo, hi, second_lo, second_hi, len;
    } forms[] = {
        { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
        { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
        { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };

    for (size_t i = 0; i < ER_COUNT(forms); i++) {
        size_t n = forms[i].len;

        if (s[0] < forms[i].lo || s[0] > forms[i].hi || n > len)
            continue;
        if (s[1] < forms[i].second_lo || s[1] > forms[i].second_hi)
            return 0;
        for (size_t k = 2; k < n; k++)
            if ((s[k] & 0xc0) != 0x80)
                return 0;
        /* U+FFFE and U+FFFF are not allowed in XML. */
        if (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe)
            return 0;
        return n;
    }
    return 0;
}

/* Copy the bytes that need no escape, as most do; returns how many. */
static size_t
xml_plain(struct fmt *f, const unsigned char *s, size_t len)
{
    /* Characters from 0x40 on, and from 0x20: those that are left out are escaped. */
    const u64 high = ~((u64)1 << ('\\' - 64) | (u64)1 << (0x7f - 64));
    const u64 low = ~((u64)0xffffffff | (u64)1 << '<' | (u64)1 << '>' | (u64)1 << '&' |
                      (u64)1 << '"' | (u64)1 << '\'');
    size_t room = (size_t)(f->end - f->at), n = 0;

    len = len < room ? len : room;
    while (n < len && s[n] < 0x80 && (s[n] < 64 ? low : high) >> (s[n] & 63) & 1) {
        f->at[n] = (char)s[n];
        n++;
    }
    f->at += n;
    return n;
}

static void
xml_ascii(struct fmt *f, char c)
{
    switch (c) {
    case '<':
        fmt_str(f, "&lt;");
        break;
    case '>':
        fmt_str(f, "&gt;");
        break;
    case '&':
        fmt_str(f, "&amp;");
        break;
    case '"':
        fmt_str(f, "&quot;");
        break;
    case '\'':
        fmt_str(f, "&apos;");
        break;
    case '\\':
        fmt_str(f, "\\\\");
        break;
    default:
        fmt_char(f, c);
    }
}

void
fmt_xml(struct fmt *f, const char *s, size_t len)
{
    const unsigned char *p = (const unsigned char *)s;

    while (len) {
        size_t n = xml_plain(f, p, len);

        p += n;
        len -= n;
        if (!len)
            break;
        n = *p >= 0x80 ? utf8_len(p, len) : 1;
        if (n == 0 || *p < 0x20 || *p == 0x7f) {
            fmt_str(f, "\\x");
            fmt_hex(f, *p, 2);
            n = 1;
        } else if (n == 1) {
            xml_ascii(f, (char)*p);
        } else {
            fmt_bytes(f, (const char *)p, n);
        }
        p += n;
        len -= n;
    }
}

static void
attr_start(struct fmt *f, const char *name)
{
    fmt_char(f, ' ');
    fmt_str(f, name);
    fmt_str(f, "=\"");
}

void
fmt_attr(struct fmt *f, const char *name, const char *value)
{
    size_t len = 0;

    while (value[len])
        len++;
    attr_start(f, name);
    fmt_xml(f, value, len);
    fmt_char(f, '"');
}

void
fmt_attr_u64(struct fmt *f, const char *name, u64 v)
{
    attr_start(f, name);
    fmt_u64(f, v);
    fmt_char(f, '"');
}

void
fmt_attr_hex(struct fmt *f, const char *name, u64 v)
{
    attr_start(f, name);
    fmt_str(f, "0x");
    fmt_hex(f, v, 1);
    fmt_char(f, '"');
}
