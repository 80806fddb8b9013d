/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A small formatter into a fixed buffer. Any context, also signal handlers: no
 * allocation, no locale, no libc. What does not fit is cut off, and `cut` is set.
 */
#ifndef ERTOOLS_SHARE_FMT_H
#define ERTOOLS_SHARE_FMT_H

#include "share/types.h"

struct fmt {
    char *at;
    char *end; /* one past the last byte that may be written */
    int cut;
};

/* Begin to write into buf of size bytes; no terminating 0 is ever written. */
static inline struct fmt
fmt_start(char *buf, size_t size)
{
    return (struct fmt){ buf, buf + size, 0 };
}

void fmt_char(struct fmt *f, char c);
void fmt_bytes(struct fmt *f, const char *s, size_t len);
void fmt_str(struct fmt *f, const char *s);
void fmt_u64(struct fmt *f, u64 v);
void fmt_i64(struct fmt *f, int64_t v);
/* Lower-case hexadecimal without 0x, at least `digits` digits. */
void fmt_hex(struct fmt *f, u64 v, int digits);
/*
 * Text inside an XML attribute or element: the five special characters are escaped,
 * bytes that XML 1.0 cannot hold (controls, invalid UTF-8) become `\xNN`, a backslash
 * becomes `\\`, so that any byte string survives; print/load undoes it.
 */
void fmt_xml(struct fmt *f, const char *s, size_t len);
/* ` name="value"`, value through fmt_xml. */
void fmt_attr(struct fmt *f, const char *name, const char *value);
void fmt_attr_u64(struct fmt *f, const char *name, u64 v);
/* The value as 0x… */
void fmt_attr_hex(struct fmt *f, const char *name, u64 v);

#endif
