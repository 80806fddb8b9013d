/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks for NVIDIA's tools, by NVTX. Its headers load the library named by
 * NVTX_INJECTION64_PATH and call its InitializeInjectionNvtx2(), which requests tables
 * of function pointers and fills them in. Functions that are not filled in do nothing.
 */
#include <string.h>
#include <wchar.h>

#include "collector/sig/guard.h"
#include "collector/region/region.h"

#define API __attribute__((visibility("default")))

/* The layout of nvToolsExt.h. */
struct nvtx_event {
    uint16_t version, size;
    u32 category;
    int color_type;
    u32 color;
    int payload_type;
    int unused;
    union {
        u64 whole;
        int64_t signed_whole;
        u32 half;
        int signed_half;
    } payload;
    int message_type;
    const void *message;
};

enum {
    EXPORT_CALLBACKS = 1,
    MODULE_CORE = 1,
    MODULE_DOMAINS = 5,
    NO_TRACKING = -2,
    TEXT_BYTES = 256,
    ARENA_BYTES = 1 << 16,
};

/* Kinds of messages and payloads in nvToolsExt.h. */
enum {
    MESSAGE_TEXT = 1,
    MESSAGE_WIDE,
    MESSAGE_HANDLE, /* a pointer to our copy of the text */
    PAYLOAD_U64 = 1,
    PAYLOAD_I64 = 2,
    PAYLOAD_U32 = 4,
    PAYLOAD_I32 = 5,
};

#define ENTER(r, start, otherwise)                  \
    struct region_thread *r = region_thread();      \
    struct walk_start start;                        \
                                                    \
    if (!r)                                         \
        return otherwise;                           \
    TRACE_CAPTURE(&start)

/* Convert wide characters to UTF-8, cut to the size of the buffer. */
static const char *
narrow(char out[TEXT_BYTES], const wchar_t *text)
{
    char *p = out, *end = out + TEXT_BYTES - 4;

    for (; text && *text && p < end; text++) {
        u32 c = (u32)*text;

        if (c < 0x80) {
            *p++ = (char)c;
        } else if (c < 0x800) {
            *p++ = (char)(0xc0 | c >> 6);
            *p++ = (char)(0x80 | (c & 63));
        } else if (c < 0x10000) {
            *p++ = (char)(0xe0 | c >> 12);
            *p++ = (char)(0x80 | (c >> 6 & 63));
            *p++ = (char)(0x80 | (c & 63));
        } else {
            *p++ = (char)(0xf0 | (c >> 18 & 7));
            *p++ = (char)(0x80 | (c >> 12 & 63));
            *p++ = (char)(0x80 | (c >> 6 & 63));
            *p++ = (char)(0x80 | (c & 63));
        }
    }
    *p = 0;
    return out;
}

static const char *
text_of(const struct nvtx_event *event, char buffer[TEXT_BYTES])
{
    if (!event || !event->message)
        return "";
    if (event->message_type == MESSAGE_WIDE)
        return narrow(buffer, event->message);
    return event->message_type == MESSAGE_TEXT || event->message_type == MESSAGE_HANDLE
               ? event->message
               : "";
}

static void
record_payload(struct region_thread *r, const struct nvtx_event *event)
{
    int type = event ? event->payload_type : 0;

    if (type == PAYLOAD_U64 || type == PAYLOAD_I64)
        region_notice(r, NOTICE_NUMBER, event->payload.whole, NULL, 0, NULL);
    else if (type == PAYLOAD_U32)
        region_notice(r, NOTICE_NUMBER, event->payload.half, NULL, 0, NULL);
    else if (type == PAYLOAD_I32)
        region_notice(r, NOTICE_NUMBER, (u64)(int64_t)event->payload.signed_half, NULL,
                      0, NULL);
}

/* Begin a region; returns its level, which is the number of regions around it. */
static int
push(struct region_thread *r, const char *text, const struct walk_start *start)
{
    int level = (int)(r->depth + r->over);
    struct region_name name;

    region_name_later(&name, text);
    region_begin(r, &name, start, 0);
    return level;
}

static int
nvtx_push(const char *text)
{
    ENTER(r, start, NO_TRACKING);

    return push(r, text, &start);
}

static int
nvtx_push_wide(const wchar_t *text)
{
    char buffer[TEXT_BYTES];
    ENTER(r, start, NO_TRACKING);

    return push(r, narrow(buffer, text), &start);
}

static int
nvtx_push_event(const struct nvtx_event *event)
{
    char buffer[TEXT_BYTES];
    int level;
    ENTER(r, start, NO_TRACKING);

    level = push(r, text_of(event, buffer), &start);
    record_payload(r, event);
    return level;
}

static int
nvtx_domain_push(const void *domain, const struct nvtx_event *event)
{
    char buffer[TEXT_BYTES];
    int level;
    ENTER(r, start, NO_TRACKING);

    (void)domain;
    level = push(r, text_of(event, buffer), &start);
    record_payload(r, event);
    return level;
}

static int
nvtx_pop(void)
{
    ENTER(r, start, NO_TRACKING);

    region_end(r, trace_before(), start.sp);
    return (int)(r->depth + r->over);
}

static int
nvtx_domain_pop(const void *domain)
{
    ENTER(r, start, NO_TRACKING);

    (void)domain;
    region_end(r, trace_before(), start.sp);
    return (int)(r->depth + r->over);
}

static u64
begin_interval(struct region_thread *r, const char *text,
               const struct walk_start *start)
{
    u64 id = region_interval();

    region_notice(r, NOTICE_INTERVAL, id, text, strnlen(text, ER_STR_MAX), start);
    return id;
}

static u64
nvtx_start(const char *text)
{
    ENTER(r, start, 0);

    return begin_interval(r, text ? text : "", &start);
}

static u64
nvtx_start_wide(const wchar_t *text)
{
    char buffer[TEXT_BYTES];
    ENTER(r, start, 0);

    return begin_interval(r, narrow(buffer, text), &start);
}

static u64
nvtx_start_event(const struct nvtx_event *event)
{
    char buffer[TEXT_BYTES];
    ENTER(r, start, 0);

    return begin_interval(r, text_of(event, buffer), &start);
}

static u64
nvtx_domain_start(const void *domain, const struct nvtx_event *event)
{
    char buffer[TEXT_BYTES];
    ENTER(r, start, 0);

    (void)domain;
    return begin_interval(r, text_of(event, buffer), &start);
}

static void
nvtx_end(u64 id)
{
    struct region_thread *r = id ? region_thread() : NULL;

    if (r)
        region_notice(r, NOTICE_INTERVAL_END, id, NULL, 0, NULL);
}

static void
nvtx_domain_end(const void *domain, u64 id)
{
    (void)domain;
    nvtx_end(id);
}

static void
mark(struct region_thread *r, const char *text, const struct walk_start *start)
{
    region_notice(r, NOTICE_MARK, 0, text, strnlen(text, ER_STR_MAX), start);
}

static void
nvtx_mark(const char *text)
{
    ENTER(r, start, );

    mark(r, text ? text : "", &start);
}

static void
nvtx_mark_wide(const wchar_t *text)
{
    char buffer[TEXT_BYTES];
    ENTER(r, start, );

    mark(r, narrow(buffer, text), &start);
}

static void
nvtx_mark_event(const struct nvtx_event *event)
{
    char buffer[TEXT_BYTES];
    ENTER(r, start, );

    mark(r, text_of(event, buffer), &start);
}

static void
nvtx_domain_mark(const void *domain, const struct nvtx_event *event)
{
    char buffer[TEXT_BYTES];
    ENTER(r, start, );

    (void)domain;
    mark(r, text_of(event, buffer), &start);
}

static void
nvtx_name_thread(u32 tid, const char *name)
{
    if (thread_self && thread_self->tid == tid)
        region_thread_name(name);
}

/*
 * Copy a text for a handle. Copies are never freed; all texts that do not fit share one
 * handle.
 */
static const void *
copy_of(const char *text)
{
    static ER_LARGE char arena[ARENA_BYTES];
    static u32 used = 1; /* arena[0] is an empty text, for those that do not fit */
    u32 bytes = (u32)strnlen(text, ER_STR_MAX) + 1;
    u32 at = __atomic_fetch_add(&used, bytes, __ATOMIC_RELAXED);

    if (at + bytes > ARENA_BYTES || at > ARENA_BYTES) {
        __atomic_store_n(&used, ARENA_BYTES, __ATOMIC_RELAXED);
        return arena;
    }
    memcpy(arena + at, text, bytes - 1);
    return arena + at;
}

static const void *
nvtx_register(const void *domain, const char *text)
{
    (void)domain;
    return copy_of(text ? text : "");
}

static const void *
nvtx_register_wide(const void *domain, const wchar_t *text)
{
    char buffer[TEXT_BYTES];

    (void)domain;
    return copy_of(narrow(buffer, text));
}

static const void *
nvtx_domain(const char *name)
{
    return copy_of(name ? name : "");
}

static const void *
nvtx_domain_wide(const wchar_t *name)
{
    char buffer[TEXT_BYTES];

    return copy_of(narrow(buffer, name));
}

typedef void (*nvtx_function)(void);

struct nvtx_known {
    u32 module, id;
    nvtx_function function;
};

/* Functions that we provide, by their numbers in nvtxTypes.h. */
static const struct nvtx_known known[] = {
    { MODULE_CORE, 1, (nvtx_function)nvtx_mark_event },
    { MODULE_CORE, 2, (nvtx_function)nvtx_mark },
    { MODULE_CORE, 3, (nvtx_function)nvtx_mark_wide },
    { MODULE_CORE, 4, (nvtx_function)nvtx_start_event },
    { MODULE_CORE, 5, (nvtx_function)nvtx_start },
    { MODULE_CORE, 6, (nvtx_function)nvtx_start_wide },
    { MODULE_CORE, 7, (nvtx_function)nvtx_end },
    { MODULE_CORE, 8, (nvtx_function)nvtx_push_event },
    { MODULE_CORE, 9, (nvtx_function)nvtx_push },
    { MODULE_CORE, 10, (nvtx_function)nvtx_push_wide },
    { MODULE_CORE, 11, (nvtx_function)nvtx_pop },
    { MODULE_CORE, 14, (nvtx_function)nvtx_name_thread },
    { MODULE_DOMAINS, 1, (nvtx_function)nvtx_domain_mark },
    { MODULE_DOMAINS, 2, (nvtx_function)nvtx_domain_start },
    { MODULE_DOMAINS, 3, (nvtx_function)nvtx_domain_end },
    { MODULE_DOMAINS, 4, (nvtx_function)nvtx_domain_push },
    { MODULE_DOMAINS, 5, (nvtx_function)nvtx_domain_pop },
    { MODULE_DOMAINS, 10, (nvtx_function)nvtx_register },
    { MODULE_DOMAINS, 11, (nvtx_function)nvtx_register_wide },
    { MODULE_DOMAINS, 12, (nvtx_function)nvtx_domain },
    { MODULE_DOMAINS, 13, (nvtx_function)nvtx_domain_wide },
};

struct nvtx_callbacks {
    size_t bytes;
    int (*table)(int module, nvtx_function ***table, unsigned *count);
};

static void
fill(const struct nvtx_callbacks *callbacks, u32 module)
{
    nvtx_function **table = NULL;
    unsigned count = 0;

    if (!callbacks->table((int)module, &table, &count) || !table)
        return;
    for (u32 i = 0; i < ER_COUNT(known); i++)
        if (known[i].module == module && known[i].id < count && table[known[i].id])
            *table[known[i].id] = known[i].function;
}

API int InitializeInjectionNvtx2(const void *(*tables)(u32 id));

API int
InitializeInjectionNvtx2(const void *(*tables)(u32 id))
{
    const struct nvtx_callbacks *callbacks = tables(EXPORT_CALLBACKS);

    if (!callbacks || callbacks->bytes < sizeof(*callbacks))
        return 0;
    fill(callbacks, MODULE_CORE);
    fill(callbacks, MODULE_DOMAINS);
    return 1;
}
