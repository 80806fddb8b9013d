/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of calls in which threads of a region wait. Time in which they run tasks in the
 * meantime is not counted as a wait.
 */
#include "collector/libc/real.h"
#include "collector/omp/omp_loop.h"

#define WRAP(type, name, params, need) type name params;
#include "collector/omp/omp.def"
#undef WRAP

enum wait {
    BARRIER,
    CRITICAL,
    ORDERED,
    TASK,
    REDUCTION, /* of libomp: a barrier, or the first half of one */
};

enum { LONG = 30000 }; /* more ticks are a long wait for a critical section */

struct waiting {
    struct omp_state *st; /* NULL = the wait is not counted */
    struct thread *t;
    u64 outer;
    u64 since;
    u64 cpu; /* omp_cpu() at the beginning, or 0: not read */
};

enum barrier {
    LOOPS,  /* a part of the call that ends a loop */
    BEHIND, /* a barrier after a loop, whose end another call has told us */
    OTHER,
};

/*
 * Begin a wait. For waits that are mostly short, the CPU time is not read, since that
 * is a system call: see preg.asleep.
 */
static inline void
begin(struct waiting *w, enum wait kind)
{
    w->t = trace_is_on() ? trace_thread() : NULL;
    w->st = w->t && w->t->omp && w->t->omp->word ? w->t->omp : NULL;
    if (!w->st)
        return;
    w->cpu = kind == BARRIER || kind == TASK || kind == REDUCTION || w->st->long_wait
                 ? omp_cpu()
                 : 0;
    w->since = trace_before();
    w->outer = omp_scope_begin(w->st);
}

static inline void
begin_barrier(struct waiting *w, const void *pc, enum barrier barrier)
{
    struct thread *t = trace_is_on() ? trace_thread() : NULL;

    if (t && t->omp && barrier == LOOPS)
        omp_loop_end();
    else if (t && t->omp)
        omp_loop_barrier(t, pc, barrier == BEHIND);
    begin(w, BARRIER);
}

static inline void
end(struct waiting *w, enum wait kind)
{
    u64 now, own;
    struct omp_sums *sums;

    if (!w->st || !trace_is_on() || trace_thread() != w->t || w->t->omp != w->st)
        return;
    now = trace_before();
    own = omp_scope_end(w->st, w->outer, w->since, now);
    sums = omp_sums_of(w->t, w->st->word, now);
    if (kind == CRITICAL || kind == ORDERED)
        w->st->long_wait = own > LONG;
    if (!sums)
        return;
    sums->asleep += omp_asleep(w->since, now, w->cpu, own);
    switch (kind) {
    case BARRIER:
        sums->wait_barrier += own;
        omp_loop_waited(w->t, own, now);
        break;
    case CRITICAL:
        sums->wait_critical += own;
        break;
    case ORDERED:
        sums->wait_ordered += own;
        break;
    case TASK:
        sums->wait_task += own;
        break;
    case REDUCTION:
        sums->wait_barrier += own;
        break;
    }
}

#define PC __builtin_return_address(0)

#define BARRIER(which, name, params, args)               \
    WRAPPER void name params                             \
    {                                                    \
        struct waiting w;                                \
                                                         \
        OMP_LEAVE_TO_TOOL(OMP_REAL(name)->name args);    \
        begin_barrier(&w, PC, which);                    \
        OMP_REAL(name)->name args;                       \
        end(&w, BARRIER);                                \
    }

#define BARRIER_ASK(which, type, name, params, args)     \
    WRAPPER type name params                             \
    {                                                    \
        struct waiting w;                                \
        type answer;                                     \
                                                         \
        OMP_LEAVE_TO_TOOL_ASK(OMP_REAL(name)->name args); \
        begin_barrier(&w, PC, which);                    \
        answer = OMP_REAL(name)->name args;              \
        end(&w, BARRIER);                                \
        return answer;                                   \
    }

#define WAIT(kind, name, params, args)                   \
    WRAPPER void name params                             \
    {                                                    \
        struct waiting w;                                \
                                                         \
        OMP_LEAVE_TO_TOOL(OMP_REAL(name)->name args);    \
        begin(&w, kind);                                 \
        OMP_REAL(name)->name args;                       \
        end(&w, kind);                                   \
    }

#define WAIT_ASK(kind, type, name, params, args)         \
    WRAPPER type name params                             \
    {                                                    \
        struct waiting w;                                \
        type answer;                                     \
                                                         \
        OMP_LEAVE_TO_TOOL_ASK(OMP_REAL(name)->name args); \
        begin(&w, kind);                                 \
        answer = OMP_REAL(name)->name args;              \
        end(&w, kind);                                   \
        return answer;                                   \
    }

BARRIER(OTHER, GOMP_barrier, (void), ())
BARRIER_ASK(OTHER, bool, GOMP_barrier_cancel, (void), ())
BARRIER(LOOPS, GOMP_loop_end, (void), ())
BARRIER_ASK(LOOPS, bool, GOMP_loop_end_cancel, (void), ())
BARRIER(LOOPS, GOMP_sections_end, (void), ())
BARRIER_ASK(LOOPS, bool, GOMP_sections_end_cancel, (void), ())
WAIT(CRITICAL, GOMP_critical_start, (void), ())
WAIT(CRITICAL, GOMP_critical_name_start, (void **name), (name))
WAIT(CRITICAL, GOMP_atomic_start, (void), ())
WAIT(ORDERED, GOMP_ordered_start, (void), ())
WAIT(TASK, GOMP_taskwait, (void), ())
WAIT(TASK, GOMP_taskwait_depend, (void **depend), (depend))
WAIT(TASK, GOMP_taskgroup_end, (void), ())
WAIT(CRITICAL, omp_set_lock, (void *lock), (lock))
WAIT(CRITICAL, omp_set_lock_, (void *lock), (lock))

/* The beginning of libomp's ident_t. */
struct kmp_place {
    int reserved;
    int flags;
};

/* Flags that the compiler sets for the barrier (KMP_IDENT_BARRIER_...). */
enum {
    KMP_BARRIER = 0x1c0,
    KMP_FOR = 0x40,
    KMP_SECTIONS = 0xc0,
};

static enum barrier
barrier_at(const void *place)
{
    const struct kmp_place *p = place;
    int kind = p ? p->flags & KMP_BARRIER : 0;

    return kind == KMP_FOR || kind == KMP_SECTIONS ? BEHIND : OTHER;
}

BARRIER(barrier_at(place), __kmpc_barrier, (void *place, int thread), (place, thread))
BARRIER_ASK(barrier_at(place), int, __kmpc_cancel_barrier, (void *place, int thread),
            (place, thread))
WAIT(CRITICAL, __kmpc_critical, (void *place, int thread, void *name),
     (place, thread, name))
WAIT(CRITICAL, __kmpc_critical_with_hint,
     (void *place, int thread, void *name, u32 hint), (place, thread, name, hint))
WAIT(ORDERED, __kmpc_ordered, (void *place, int thread), (place, thread))
WAIT_ASK(TASK, int, __kmpc_omp_taskwait, (void *place, int thread), (place, thread))
WAIT(TASK, __kmpc_omp_wait_deps,
     (void *place, int thread, int count, void *list, int others, void *other_list),
     (place, thread, count, list, others, other_list))
WAIT(TASK, __kmpc_omp_taskwait_deps_51,
     (void *place, int thread, int count, void *list, int others, void *other_list,
      int nowait),
     (place, thread, count, list, others, other_list, nowait))
WAIT(TASK, __kmpc_end_taskgroup, (void *place, int thread), (place, thread))
WAIT(ORDERED, __kmpc_doacross_wait, (void *place, int thread, const int64_t *turn),
     (place, thread, turn))

/*
 * In these calls, with many threads the first one waits for the others' results. The
 * barrier of a loop with a reduction is in the call that ends the reduction.
 */
#define REDUCE(name)                                                               \
    WAIT_ASK(REDUCTION, int, name,                                                 \
             (void *place, int thread, int count, size_t bytes, void *data,        \
              void *function, void *lock),                                         \
             (place, thread, count, bytes, data, function, lock))

REDUCE(__kmpc_reduce)
REDUCE(__kmpc_reduce_nowait)
BARRIER(BEHIND, __kmpc_end_reduce, (void *place, int thread, void *lock),
        (place, thread, lock))
