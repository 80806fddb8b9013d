/* SPDX-License-Identifier: Apache-2.0 */
/* The calls of libcollector.h about regions, for C and, with an underscore, Fortran. */
#define LIBCOLLECTOR_NO_MACROS
#include "collector/preload/libcollector.h"

#include <string.h>

#include "collector/region/region.h"

#define API __attribute__((visibility("default")))

/* The caller's stack pointer. Use it only in a function that has a frame of its own. */
#define CALLER_SP() ((u64)(uintptr_t)((const u64 *)__builtin_frame_address(0) + 2))

API void
collector_region_begin(const char *text)
{
    struct region_thread *r = region_thread();
    struct region_name name;
    struct walk_start start;

    if (!r)
        return;
    TRACE_CAPTURE(&start);
    region_name_later(&name, text);
    region_begin(r, &name, &start, 0);
}

/*
 * End the innermost region, if there is one. Returns when it ended, or 0; so one
 * reading of the clock serves the end of a region and the beginning of the next one.
 */
static inline u64
end_open(struct region_thread *r, u64 sp)
{
    u64 now;

    if (!r->depth)
        return 0;
    now = trace_before();
    region_end(r, now, sp);
    return now;
}

API void
collector_region_next(const char *text)
{
    struct region_thread *r = region_thread();
    struct region_name name;
    struct walk_start start;
    u64 now;

    if (!r)
        return;
    TRACE_CAPTURE(&start);
    now = end_open(r, start.sp);
    region_name_later(&name, text);
    region_begin(r, &name, &start, now);
}

API void
collector_region_end(void)
{
    struct region_thread *r = region_thread();

    if (r)
        region_end(r, trace_before(), CALLER_SP());
}

API void
collector_region_number(long long number)
{
    struct region_thread *r = region_thread();

    if (r)
        region_notice(r, NOTICE_NUMBER, (u64)number, NULL, 0, NULL);
}

API void
collector_region_text(const char *text)
{
    struct region_thread *r = region_thread();

    if (r && text)
        region_notice(r, NOTICE_TEXT, 0, text, strnlen(text, ER_STR_MAX), NULL);
}

API unsigned long long
collector_interval_begin(const char *text)
{
    struct region_thread *r = region_thread();
    struct walk_start start;
    u64 id;

    if (!r)
        return 0;
    TRACE_CAPTURE(&start);
    id = region_interval();
    region_notice(r, NOTICE_INTERVAL, id, text, text ? strnlen(text, ER_STR_MAX) : 0,
                  &start);
    return id;
}

API void
collector_interval_end(unsigned long long id)
{
    struct region_thread *r = id ? region_thread() : NULL;

    if (r)
        region_notice(r, NOTICE_INTERVAL_END, id, NULL, 0, NULL);
}

/*
 * For Fortran: arguments are passed by address, the length of a string comes after all
 * other arguments, and strings are padded with blanks.
 */
API void collector_region_begin_(const char *name, size_t len);
API void collector_region_next_(const char *name, size_t len);
API void collector_region_end_(void);
API void collector_region_number_(const long long *number);
API void collector_region_text_(const char *text, size_t len);

static size_t
trimmed(const char *s, size_t len)
{
    while (len && s[len - 1] == ' ')
        len--;
    return len;
}

API void
collector_region_begin_(const char *text, size_t len)
{
    struct region_thread *r = region_thread();
    struct region_name name;
    struct walk_start start;

    if (!r)
        return;
    TRACE_CAPTURE(&start);
    region_name_cut(&name, text, trimmed(text, len));
    region_begin(r, &name, &start, 0);
}

API void
collector_region_next_(const char *text, size_t len)
{
    struct region_thread *r = region_thread();
    struct region_name name;
    struct walk_start start;
    u64 now;

    if (!r)
        return;
    TRACE_CAPTURE(&start);
    now = end_open(r, start.sp);
    region_name_cut(&name, text, trimmed(text, len));
    region_begin(r, &name, &start, now);
}

API void
collector_region_end_(void)
{
    struct region_thread *r = region_thread();

    if (r)
        region_end(r, trace_before(), CALLER_SP());
}

API void
collector_region_number_(const long long *number)
{
    collector_region_number(*number);
}

API void
collector_region_text_(const char *text, size_t len)
{
    struct region_thread *r = region_thread();

    if (r)
        region_notice(r, NOTICE_TEXT, 0, text, trimmed(text, len), NULL);
}
