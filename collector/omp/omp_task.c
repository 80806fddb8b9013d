/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tasks. libgomp copies a task's data, by a function of the compiler or byte by byte.
 * So our data come before the task's own: struct task_data, and at `offset` the task's.
 */
#include <string.h>

#include "collector/libc/real.h"
#include "collector/omp/omp_body.h"

#define WRAP(type, name, params, need) type name params;
#include "collector/omp/omp.def"
#undef WRAP

/* Some of libgomp's flags (gomp-constants.h). */
enum {
    TASK_NOGROUP = 1 << 11,
    TASK_DETACH = 1 << 13,
};

enum {
    HEAD_WORDS = 3, /* words of the data that libgomp itself may read or write */
    ALIGN = 16,
};

struct task_data {
    /*
     * In the first words, libgomp passes a loop's bounds or the event of a detached
     * task, and the reductions of a loop.
     */
    void *head[HEAD_WORDS];
    const struct task_data *self; /* the creator's original; copies differ in address */
    omp_body body;
    omp_copy copy; /* NULL = byte by byte */
    void *data;    /* the creator's data */
    u64 word;
    u32 offset;
    u32 heads;     /* words of head to copy into the task's data */
};

static void *
own_data(struct task_data *d)
{
    return d->self == d ? d->data : (char *)d + d->offset;
}

static void
run(void *arg)
{
    struct task_data *d = arg;
    void *data = own_data(d);

    if (d->heads)
        memcpy(data, d->head, d->heads * sizeof(d->head[0]));
    omp_task_run(d->body, data, d->word);
}

/* The copy function for tasks whose data have constructors. */
static void
copy(void *to, void *from)
{
    const struct task_data *d = from;

    memcpy(to, d, sizeof(*d));
    if (d->heads)
        memcpy(d->data, d->head, d->heads * sizeof(d->head[0]));
    d->copy((char *)to + d->offset, d->data);
}

/* Space needed on the caller's stack, including data that are copied byte by byte. */
#define TASK_ROOM(bytes, align) \
    (sizeof(struct task_data) + (u64)(bytes) + 2 * (u64)task_align(align))

static inline u64
task_align(long align)
{
    return align > ALIGN ? (u64)align : ALIGN;
}

static struct task_data *
prepare(void *room, omp_body body, void *data, omp_copy copy_data, long bytes,
        long align, u64 word)
{
    u64 step = task_align(align);
    struct task_data *d =
        (void *)(((u64)(uintptr_t)room + step - 1) & ~(step - 1));
    u64 words = (u64)bytes / sizeof(void *);

    *d = (struct task_data){
        .self = d,
        .body = body,
        .copy = copy_data,
        .data = data,
        .word = word,
        .offset = (u32)((sizeof(*d) + step - 1) & ~(step - 1)),
    };
    if (data)
        memcpy(d->head, data,
               (words < HEAD_WORDS ? words : HEAD_WORDS) * sizeof(d->head[0]));
    if (data && !copy_data)
        memcpy((char *)d + d->offset, data, (u64)bytes);
    return d;
}

WRAPPER void
GOMP_task(omp_body body, void *data, omp_copy copy_data, long bytes, long align,
          int deferred, unsigned flags, void **depend, int priority, void *detach)
{
    const struct omp_real *runtime = OMP_REAL(GOMP_task);
    struct walk_start start;
    struct omp_creating creating;
    struct task_data *d;
    u64 word;

    TRACE_CAPTURE(&start);
    word = omp_caller(&start);
    if (!word) {
        runtime->GOMP_task(body, data, copy_data, bytes, align, deferred, flags, depend,
                        priority, detach);
        return;
    }
    d = prepare(__builtin_alloca(TASK_ROOM(bytes, align)), body, data, copy_data, bytes,
                align, word);
    if (flags & TASK_DETACH && data)
        d->heads = 1;
    omp_create_begin(&creating);
    runtime->GOMP_task(run, d, copy_data ? copy : NULL, d->offset + bytes,
                    (long)task_align(align), deferred, flags, depend, priority, detach);
    omp_create_end(&creating, word, 0);
    if (d->heads)
        *(void **)data = d->head[0];
}

/*
 * Hooks for loops of tasks. libgomp writes each task's bounds into the first two words
 * of its data.
 */
#define TASKLOOP(name, number)                                                    \
    WRAPPER void name(omp_body body, void *data, omp_copy copy_data, long bytes,  \
                      long align, unsigned flags, unsigned long tasks,            \
                      int priority, number from, number to, number step)          \
    {                                                                             \
        const struct omp_real *runtime = OMP_REAL(name);                             \
        struct walk_start start;                                                  \
        struct omp_creating creating;                                             \
        struct task_data *d;                                                      \
        u64 word;                                                                 \
                                                                                  \
        TRACE_CAPTURE(&start);                                                    \
        word = omp_caller(&start);                                                \
        if (!word) {                                                              \
            runtime->name(body, data, copy_data, bytes, align, flags, tasks,         \
                       priority, from, to, step);                                 \
            return;                                                               \
        }                                                                         \
        d = prepare(__builtin_alloca(TASK_ROOM(bytes, align)), body, data,        \
                    copy_data, bytes, align, word);                               \
        d->heads = 2;                                                             \
        omp_create_begin(&creating);                                              \
        runtime->name(run, d, copy_data ? copy : NULL, d->offset + bytes,            \
                   (long)task_align(align), flags, tasks, priority, from, to,     \
                      step);                                                      \
        omp_create_end(&creating, word, !(flags & TASK_NOGROUP));                 \
    }

TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)
