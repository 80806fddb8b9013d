/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Marks for Intel's tools, by ITT. Each object that uses ITT contains a table of
 * function pointers, and code that loads the library named by INTEL_LIBITTNOTIFY64 and
 * has its __itt_api_init() fill the table. We fill in the functions that we know by
 * name. All other pointers get the table's own default, so that older and newer tables
 * work. ITT's macros do not call functions for domains that are switched off.
 */
#include <string.h>

#include "collector/preload/dynsym.h"
#include "collector/preload/libcollector.h"
#include "collector/region/region.h"
#include "collector/region/region_handle.h"
#include "collector/sig/clock.h"
#include "share/fmt.h"

#define API __attribute__((visibility("default")))

/* The layouts of ittnotify.h; members at the end that we do not use are left out. */
struct itt_id {
    unsigned long long d[3];
};

struct itt_entry {
    const char *name;
    void **pointer;
    void *init;
    void *none;
    int group;
};

struct itt_global {
    unsigned char magic[8];
    unsigned long version[3];
    long state[3];
    char mutex[40];
    void *lib;
    void *error_handler;
    const char **path;
    struct itt_entry *entry;
};

enum {
    NAMES = 256,
    NAME_BYTES = 64,
    METADATA_BYTES = 256, /* bytes of a key and its value; the rest is cut off */
    LATE = 32, /* pointers to frame functions that late[] keeps, of all runtimes */
    INTERVAL_ITT = 63, /* the highest bit of an interval's number */
};

/* Names of events and marks, by their number; number 0 is not used. */
static ER_LARGE char names[NAMES][NAME_BYTES];
static u32 nnames = 1;

/*
 * Pointers to frame functions in the tables of OpenMP runtimes. A runtime makes one or
 * two frames for each parallel region, which takes most of a microsecond, and
 * collector/omp records these regions anyway. So the pointers are set only when
 * something else begins a region; frames that began before are incomplete.
 */
static struct {
    void **pointer;
    void *function;
} late[LATE];

static u32 nlate, late_wanted;
static u64 late_since; /* ticks; frames that began before are left out */

/* The beginning of each function that the program calls. Sets `start` to its caller. */
#define ENTER(r, start)                             \
    struct region_thread *r = region_thread();      \
    struct walk_start start;                        \
                                                    \
    if (!r)                                         \
        return;                                     \
    TRACE_CAPTURE(&start)

static size_t
len_of(const char *text)
{
    return text ? strnlen(text, ER_STR_MAX) : 0;
}

/*
 * A number for an ITT id. The highest bit is set, so that it differs from the numbers
 * of region_interval(), which count from 1.
 */
static u64
interval_of(const void *domain, const struct itt_id *id)
{
    u64 value = (u64)(uintptr_t)domain;

    for (u32 i = 0; id && i < ER_COUNT(id->d); i++)
        value = (value ^ id->d[i]) * 0x9e3779b97f4a7c15ull ^ value >> 31;
    return value | (u64)1 << INTERVAL_ITT;
}

/* A task without a name has the name of its domain. */
static const char *
text_of(const struct itt_domain *domain, const struct itt_string *text)
{
    return text && text->text ? text->text : domain ? domain->name : NULL;
}

static inline int
has_number(const struct itt_id *id)
{
    return (id->d[0] | id->d[1] | id->d[2]) != 0;
}

/* Record that the innermost region is the task with this id. */
static void
set_task(struct region_thread *r, const struct itt_id *id)
{
    if (r->depth && !r->over)
        r->open[r->depth - 1].task = interval_of(NULL, id);
}

/*
 * Does metadata for this task belong to the innermost region? Yes, if no task is given.
 * Metadata of other tasks is not recorded.
 */
static int
is_innermost(const struct region_thread *r, const struct itt_id *id)
{
    if (!r->depth || r->over)
        return 0;
    return !has_number(id) || r->open[r->depth - 1].task == interval_of(NULL, id);
}

static void
itt_task_begin(const struct itt_domain *domain, struct itt_id id, struct itt_id parent,
               const struct itt_string *text)
{
    struct region_name name;
    ENTER(r, start);

    (void)parent;
    region_name_later(&name, text_of(domain, text));
    region_begin(r, &name, &start, 0);
    if (ER_UNLIKELY(has_number(&id)))
        set_task(r, &id);
}

/* Begin a task that is named by the address of a function. */
static void
itt_task_begin_fn(const struct itt_domain *domain, struct itt_id id,
                  struct itt_id parent, const void *function)
{
    struct region_name name;
    char text[32];
    struct fmt f = fmt_start(text, sizeof(text));
    ENTER(r, start);

    (void)domain, (void)id, (void)parent;
    fmt_str(&f, "0x");
    fmt_hex(&f, (u64)(uintptr_t)function, 1);
    region_name_cut(&name, text, (size_t)(f.at - text));
    region_begin(r, &name, &start, 0);
}

static void
itt_task_end(const struct itt_domain *domain)
{
    ENTER(r, start);

    (void)domain;
    region_end(r, trace_before(), start.sp);
}

static void
itt_overlapped_begin(const struct itt_domain *domain, struct itt_id id,
                     struct itt_id parent, const struct itt_string *text)
{
    ENTER(r, start);

    (void)parent;
    region_notice(r, NOTICE_INTERVAL, interval_of(domain, &id),
                  text_of(domain, text), len_of(text_of(domain, text)), &start);
}

static void
itt_overlapped_end(const struct itt_domain *domain, struct itt_id id)
{
    struct region_thread *r = region_thread();

    if (r)
        region_notice(r, NOTICE_INTERVAL_END, interval_of(domain, &id), NULL, 0, NULL);
}

/* Begin a frame: it is recorded as an interval with the name of its domain. */
static void
itt_frame_begin(const struct itt_domain *domain, const struct itt_id *id)
{
    ENTER(r, start);

    if (domain)
        region_notice(r, NOTICE_INTERVAL, interval_of(domain, id), domain->name,
                      len_of(domain->name), &start);
}

static void
itt_frame_end(const struct itt_domain *domain, const struct itt_id *id)
{
    struct region_thread *r = region_thread();

    if (r && domain)
        region_notice(r, NOTICE_INTERVAL_END, interval_of(domain, id), NULL, 0, NULL);
}

/* Record a frame that has ended already; its times come from itt_get_timestamp(). */
static void
itt_frame_submit(const struct itt_domain *domain, const struct itt_id *id, u64 begin,
                 u64 end)
{
    u64 interval;
    ENTER(r, start);

    (void)id;
    if (!domain || end < begin || begin < late_since)
        return;
    interval = region_interval();
    region_notice_at(r, begin, NOTICE_INTERVAL, interval, domain->name,
                     len_of(domain->name), &start);
    region_notice_at(r, end, NOTICE_INTERVAL_END, interval, NULL, 0, NULL);
}

static u64
itt_get_timestamp(void)
{
    u32 cpu;

    return clock_ticks(&cpu);
}

static void
itt_marker(const struct itt_domain *domain, struct itt_id id,
           const struct itt_string *text, int scope)
{
    ENTER(r, start);

    (void)domain, (void)id, (void)scope;
    if (text)
        region_notice(r, NOTICE_MARK, 0, text->text, len_of(text->text), &start);
}

/* Keep a name, and return its number; 0 = there is no room. */
static int
number_of(const char *text, size_t len)
{
    u32 at = __atomic_fetch_add(&nnames, 1, __ATOMIC_RELAXED);

    if (at >= NAMES || !text) {
        __atomic_store_n(&nnames, at < NAMES ? at + 1 : NAMES, __ATOMIC_RELAXED);
        return 0;
    }
    len = len < NAME_BYTES ? len : NAME_BYTES - 1;
    memcpy(names[at], text, len);
    names[at][len] = 0;
    return (int)at;
}

static const char *
name_of(int number)
{
    return number > 0 && number < NAMES ? names[number] : "";
}

static int
itt_event_create(const char *text, int len)
{
    return number_of(text, len > 0 ? (size_t)len : 0);
}

/* The interval's number for an event; it differs between threads. */
static u64
event_of(const struct region_thread *r, int event)
{
    struct itt_id id = { { (u64)event, r->thread->id, 1 } };

    return interval_of(NULL, &id);
}

static int
itt_event_start(int event)
{
    struct region_thread *r = region_thread();

    if (r)
        region_notice(r, NOTICE_INTERVAL, event_of(r, event), name_of(event),
                      len_of(name_of(event)), NULL);
    return 0;
}

static int
itt_event_end(int event)
{
    struct region_thread *r = region_thread();

    if (r)
        region_notice(r, NOTICE_INTERVAL_END, event_of(r, event), NULL, 0, NULL);
    return 0;
}

static int
itt_mark_create(const char *text)
{
    return number_of(text, len_of(text));
}

static int
itt_mark(int mark, const char *parameter)
{
    struct region_thread *r = region_thread();

    (void)parameter;
    if (r)
        region_notice(r, NOTICE_MARK, 0, name_of(mark), len_of(name_of(mark)), NULL);
    return 0;
}

/* Record "key: text" as a notice of the task that the thread is in. */
static void
itt_metadata_text(const struct itt_domain *domain, struct itt_id id,
                  const struct itt_string *key, const char *data, size_t len)
{
    struct region_thread *r = region_thread();
    char text[METADATA_BYTES];
    struct fmt f = fmt_start(text, sizeof(text));

    (void)domain;
    if (!r || !data || !is_innermost(r, &id))
        return;
    if (key && key->text) {
        fmt_str(&f, key->text);
        fmt_str(&f, ": ");
    }
    fmt_bytes(&f, data, strnlen(data, len));
    region_notice(r, NOTICE_TEXT, 0, text, (size_t)(f.at - text), NULL);
}

/*
 * Record numbers as metadata. Types, in the order of ittnotify.h: integers of 64, 32
 * and 16 bits, unsigned ones first.
 */
static void
itt_metadata_numbers(const struct itt_domain *domain, struct itt_id id,
                     const struct itt_string *key, int type, size_t count,
                     const void *data)
{
    enum { U64 = 1, S64, U32, S32, U16, S16 };
    struct region_thread *r = region_thread();

    (void)domain, (void)key;
    if (!r || !data || type < U64 || type > S16 || !is_innermost(r, &id))
        return;
    for (size_t i = 0; i < count; i++) {
        u64 value = type <= S64   ? ((const u64 *)data)[i]
                    : type == U32 ? ((const u32 *)data)[i]
                    : type == S32 ? (u64)(int64_t)((const int32_t *)data)[i]
                    : type == U16 ? ((const uint16_t *)data)[i]
                                  : (u64)(int64_t)((const int16_t *)data)[i];

        region_notice(r, NOTICE_NUMBER, value, NULL, 0, NULL);
    }
}

static void
itt_thread_set_name(const char *name)
{
    region_thread_name(name);
}

/*
 * Functions that we provide, by the names in ITT's tables; their types are those of
 * ittnotify.h.
 */
static const struct {
    const char *name;
    void *function;
} known[] = {
    { "__itt_domain_create", (void *)region_handle_domain },
    { "__itt_string_handle_create", (void *)region_handle_string },
    { "__itt_task_begin", (void *)itt_task_begin },
    { "__itt_task_begin_fn", (void *)itt_task_begin_fn },
    { "__itt_task_end", (void *)itt_task_end },
    { "__itt_task_begin_overlapped", (void *)itt_overlapped_begin },
    { "__itt_task_end_overlapped", (void *)itt_overlapped_end },
    { "__itt_region_begin", (void *)itt_overlapped_begin },
    { "__itt_region_end", (void *)itt_overlapped_end },
    { "__itt_frame_begin_v3", (void *)itt_frame_begin },
    { "__itt_frame_end_v3", (void *)itt_frame_end },
    { "__itt_frame_submit_v3", (void *)itt_frame_submit },
    { "__itt_get_timestamp", (void *)itt_get_timestamp },
    { "__itt_marker", (void *)itt_marker },
    { "__itt_event_create", (void *)itt_event_create },
    { "__itt_event_start", (void *)itt_event_start },
    { "__itt_event_end", (void *)itt_event_end },
    { "__itt_mark_create", (void *)itt_mark_create },
    { "__itt_mark", (void *)itt_mark },
    { "__itt_metadata_str_add", (void *)itt_metadata_text },
    { "__itt_metadata_add", (void *)itt_metadata_numbers },
    { "__itt_thread_set_name", (void *)itt_thread_set_name },
    { "__itt_pause", (void *)collector_pause },
    { "__itt_resume", (void *)collector_resume },
    { "__itt_detach", (void *)collector_terminate_expt },
};

static void *
function_of(const char *name)
{
    for (u32 i = 0; i < ER_COUNT(known); i++)
        if (!strcmp(known[i].name, name))
            return known[i].function;
    return NULL;
}

/* Is the object that contains an address an OpenMP runtime? For check_object(). */
struct search {
    u64 address;
    u32 is_openmp;
};

static int
check_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct search *search = arg;
    struct dynsym table;

    (void)size;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD ||
            search->address - info->dlpi_addr - p->p_vaddr >= p->p_memsz)
            continue;
        search->is_openmp = dynsym_open(&table, info) == 0 &&
                            dynsym_find(&table, "__kmpc_fork_call") != 0;
        return 1;
    }
    return 0;
}

/*
 * 1 for functions that are not set for an OpenMP runtime. The runtime makes a mark at
 * each single construct, millions of them, which would use up the names of marks. It
 * also adds clock readings to a task without an id, and these would become notices of a
 * region of the program.
 */
static int
is_left_out(const void *function)
{
    return function == (const void *)itt_mark_create ||
           function == (const void *)itt_mark ||
           function == (const void *)itt_metadata_text ||
           function == (const void *)itt_metadata_numbers;
}

/* Does the table belong to an OpenMP runtime: libomp or a similar one? */
static int
is_openmp(const void *table)
{
    struct search search = { .address = (u64)(uintptr_t)table };

    dl_iterate_phdr(check_object, &search);
    return search.is_openmp != 0;
}

static int
is_frame(const void *function)
{
    return function == (const void *)itt_get_timestamp ||
           function == (const void *)itt_frame_begin ||
           function == (const void *)itt_frame_end ||
           function == (const void *)itt_frame_submit;
}

/*
 * Keep a pointer for later. 1 = region_itt_wanted() will set it; 0 = the caller must
 * set it now.
 */
static int
set_late(void **pointer, void *function)
{
    u32 at;

    if (services_params()->no_omp || __atomic_load_n(&late_wanted, __ATOMIC_SEQ_CST))
        return 0;
    at = __atomic_fetch_add(&nlate, 1, __ATOMIC_SEQ_CST);
    if (at >= LATE)
        return 0;
    late[at].function = function;
    __atomic_store_n(&late[at].pointer, pointer, __ATOMIC_SEQ_CST);
    return !__atomic_load_n(&late_wanted, __ATOMIC_SEQ_CST);
}

void
region_itt_wanted(void)
{
    u32 count = __atomic_load_n(&nlate, __ATOMIC_SEQ_CST);

    if (__atomic_load_n(&late_wanted, __ATOMIC_RELAXED))
        return;
    if (count)
        late_since = itt_get_timestamp();
    __atomic_store_n(&late_wanted, 1, __ATOMIC_SEQ_CST);
    for (u32 i = 0; i < count && i < LATE; i++) {
        void **pointer = __atomic_load_n(&late[i].pointer, __ATOMIC_SEQ_CST);

        /* The runtime may have been unloaded. */
        if (pointer && is_openmp(pointer))
            __atomic_store_n(pointer, late[i].function, __ATOMIC_RELEASE);
    }
}

API void __itt_api_init(struct itt_global *global, int groups);

/* Each object that has a table calls this function once. */
API void
__itt_api_init(struct itt_global *global, int groups)
{
    static const unsigned char magic[8] = { 0xed, 0xab, 0xab, 0xec,
                                            0x0d, 0xee, 0xda, 0x30 };
    int openmp;

    if (memcmp(global->magic, magic, sizeof(magic)) != 0 || global->version[0] != 3)
        return;
    openmp = is_openmp(global);
    for (struct itt_entry *e = global->entry; e && e->name; e++) {
        void *function = e->group & groups ? function_of(e->name) : NULL;

        *e->pointer = e->none;
        if (openmp && (is_left_out(function) ||
                       (is_frame(function) && set_late(e->pointer, function))))
            function = NULL;
        if (function)
            *e->pointer = function;
    }
}
