/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/call/call.h"

#include <errno.h>
#include <string.h>
#include <unwind.h>

#include "collector/libc/resolve.h"
#include "collector/sig/guard.h"
#include "collector/sig/sys.h"
#include "collector/sig/walk_state.h"

_Unwind_Reason_Code call_personality(int version, _Unwind_Action actions,
                                     _Unwind_Exception_Class class,
                                     struct _Unwind_Exception *exception,
                                     struct _Unwind_Context *context);

/* How and when a call ended, for its record. */
struct outcome {
    u32 end; /* enum er_call_end */
    u32 error; /* errno if the call failed and sets it, else 0 */
    u64 ticks;
};

static void
put(struct trace_scope *s, const struct call_open *o, const struct outcome *out,
    const unsigned char *values, u32 len)
{
    struct trace *trace = &s->t->trace[TRACE_call];
    struct rec_call r = {
        .time = out->ticks >> SHIFT_calltrace,
        .node = o->node,
        .function = (u32)(o->target - call_targets) + 1,
        .end = out->end,
        .error = out->error,
        .values = { (const char *)values, len },
    };
    struct chunk_writer *w;

    r.took = trace_between(o->since >> SHIFT_calltrace, r.time);
    w = trace_open_for(s, trace, FILE_calltrace, out->ticks, TRACE_BYTES + len);
    if (ER_LIKELY(w != NULL))
        trace_close(s, trace, w, rec_put_call(&w->codec, trace_at(w), &r));
    /*
     * Copy the numbers of events into the thread's row of the file threads, so that
     * they are known even if the process is killed.
     */
    if (ER_LIKELY(s->t->row != NULL)) {
        s->t->row->call_seen = trace_seen(trace);
        s->t->row->call_dropped = (u32)trace->dropped;
    }
}

/* Record a call that has not returned, and will not. */
static void
put_left(struct trace_scope *s, const struct call_open *o, u32 end)
{
    struct outcome out = { .end = end, .ticks = trace_before() };

    put(s, o, &out, o->values, o->len);
}

/* The thread or the process ends: record its open calls, and free their list. */
static void
thread_ended(void *own)
{
    struct call_thread *c = own;
    struct trace_scope s = { .t = c->thread };

    if (c->pid == *trace_services->pid && trace_is_on())
        while (c->depth)
            put_left(&s, &c->open[--c->depth], CALL_NOT_ENDED);
    if (trace_is_on())
        sys_unmap(c, sizeof(*c));
}

static __attribute__((noinline)) struct call_thread *
make_thread(struct trace_scope *s)
{
    struct trace *trace = &s->t->trace[TRACE_call];
    u64 mask = guard_enter();
    struct call_thread *c = trace->own;
    struct call_thread *made = c ? NULL : sys_map(sizeof(*made));

    if (made) {
        c = made;
        c->thread = s->t;
        trace->ended = thread_ended;
        trace->own = c;
    }
    if (c) {
        c->depth = c->elsewhere = 0;
        c->pid = *trace_services->pid;
    }
    guard_leave(mask);
    return c;
}

static inline struct call_thread *
thread_state(struct trace_scope *s)
{
    struct call_thread *c = call_thread_of(s);

    if (ER_UNLIKELY(!c || c->pid != *trace_services->pid))
        return s->stray ? NULL : make_thread(s);
    return c;
}

/*
 * Calls whose frames are below `frame` on the stack were left by longjmp(): record and
 * drop them.
 */
static inline void
drop_left(struct trace_scope *s, struct call_thread *c, u64 frame)
{
    while (ER_UNLIKELY(c->depth && c->open[c->depth - 1].frame < frame))
        put_left(s, &c->open[--c->depth], CALL_JUMPED);
}

static inline u64
stack_top(const struct trace_scope *s)
{
    return s->t->walk->hi;
}

static inline int
is_on_stack(const struct trace_scope *s, u64 address)
{
    const struct walk *w = s->t->walk;

    return !s->stray && address >= w->lo && address < w->hi;
}

/*
 * Take a place for an open call: in the thread's list; or in the call's own frame, if
 * the list is full, or the call is on another stack, whose addresses cannot be compared
 * with the list's.
 */
static inline struct call_open *
push(struct trace_scope *s, struct call_frame *frame)
{
    u64 at = (u64)(uintptr_t)frame;
    struct call_thread *c = thread_state(s);

    if (ER_UNLIKELY(!c || !is_on_stack(s, at)))
        return &frame->spare;
    drop_left(s, c, at);
    if (ER_UNLIKELY(c->depth == CALL_DEPTH))
        return &frame->spare;
    return &c->open[c->depth];
}

/*
 * Mark the place as used. A signal handler that interrupts this may use the place
 * first, but has freed it when it returns.
 */
static inline void
keep(struct trace_scope *s, struct call_open *o, const struct call_frame *frame)
{
    struct call_thread *c = s->stray ? NULL : call_thread_of(s);

    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (o != &frame->spare)
        c->depth++;
    else if (c)
        c->elsewhere++;
}

/*
 * How many of these words of the caller's stack can be copied? If the function's type
 * is not known, `words` is a guess, and the stack may end before so many.
 */
static inline u64
words_of(struct trace_scope *s, const struct call_frame *frame, u64 words)
{
    u64 at = (u64)(uintptr_t)frame->stack, end = at + 8 * words;

    if (ER_LIKELY(!words || (at ^ (end - 1)) < 4096))
        return words;
    if (ER_LIKELY(is_on_stack(s, at) && end <= stack_top(s)))
        return words;
    if (call_text_readable(s, end - 1, 1))
        return words;
    return (4096 - (at & 4095)) / 8;
}

static inline void
start_of(struct walk_start *start, const struct call_frame *frame, const void *pc,
         const void *sp)
{
    struct regs *r = &start->here;

    r->r[REGS_RBX] = frame->preserved[0];
    r->r[REGS_BP] = (u64)(uintptr_t)&frame->bp;
    r->r[REGS_SP] = (u64)(uintptr_t)sp;
    for (u32 i = 12; i < 16; i++)
        r->r[i] = frame->preserved[i - 11];
    r->pc = (u64)(uintptr_t)pc;
    r->known = REGS_PRESERVED;
    start->bp = frame->bp;
    start->pc = frame->pc;
    start->sp = (u64)(uintptr_t)frame->stack;
}

int
call_enter(struct call_frame *frame)
{
    struct call_target *target = &call_targets[frame->index];
    const struct call_function *f = target->function;
    struct walk_start start;
    struct trace_scope s;
    struct call_open *o;

    frame->real = target->real;
    if (ER_UNLIKELY(!trace_is_on() || !f || !trace_enter(&s)))
        return 0;
    if (ER_UNLIKELY(s.paused)) {
        trace_leave(&s);
        return 0;
    }
    if (ER_UNLIKELY(target->noted != *trace_services->pid))
        call_record_target(&s, target);
    o = push(&s, frame);
    frame->words = words_of(&s, frame, f->type.words);
    frame->x87 = f->type.x87;
    frame->open = o;
    o->frame = (u64)(uintptr_t)frame;
    o->target = target;
    o->len = (u32)(call_value_before(&s, frame, f, o->values) - o->values);
    start_of(&start, frame, __builtin_return_address(0),
             (char *)__builtin_frame_address(0) + 16);
    o->node = trace_walk(&s, &start);
    keep(&s, o, frame);
    trace_leave(&s);
    o->since = trace_before();
    return 1;
}

static inline void
judge(const struct call_function *f, int64_t result, int error, struct outcome *out)
{
    if (!f->type.verdict || !calltype_failed(&f->type, result))
        return;
    out->end = CALL_FAILED;
    out->error = f->type.has_errno ? (u32)error : 0;
}

/* Remove the call from the list, and all inner calls, which have never returned. */
static inline void
pop(struct trace_scope *s, const struct call_frame *frame)
{
    struct call_thread *c = s->stray ? NULL : call_thread_of(s);
    const struct call_open *o = frame->open;

    if (!c || c->pid != *trace_services->pid)
        return;
    if (o == &frame->spare) {
        c->elsewhere -= c->elsewhere != 0;
        return;
    }
    drop_left(s, c, o->frame);
    c->depth = (u32)(o - c->open);
}

static u64 began; /* ticks when this recording began: there may be earlier ones */

static inline int
is_own_open(struct trace_scope *s, const struct call_frame *frame)
{
    const struct call_thread *c = s->stray ? NULL : call_thread_of(s);
    const struct call_open *o = frame->open;

    if (o == &frame->spare)
        return o->since >= began;
    return c && c->pid == *trace_services->pid && o >= c->open &&
           o < c->open + c->depth && o->frame == (u64)(uintptr_t)frame;
}

void
call_leave(struct call_frame *frame)
{
    u64 ticks = trace_after();
    const struct call_function *f = call_targets[frame->index].function;
    int saved = errno;
    struct outcome out = { .end = CALL_RETURNED, .ticks = ticks };
    unsigned char values[CALL_BYTES], *end;
    struct trace_scope s;
    int64_t result = 0;
    u32 len;

    if (ER_UNLIKELY(!trace_is_on() || !trace_enter(&s)))
        return;
    /*
     * If the call is no longer in the list, after a fork or a jump, it has its record
     * already.
     */
    if (ER_UNLIKELY(!is_own_open(&s, frame))) {
        trace_leave(&s);
        return;
    }
    len = frame->open->len;
    memcpy(values, frame->open->values, len);
    end = call_value_after(&s, frame, f, values + len, &result);
    judge(f, result, saved, &out);
    if (ER_LIKELY(!s.paused))
        put(&s, frame->open, &out, values, (u32)(end - values));
    pop(&s, frame);
    trace_leave(&s);
}

static struct call_thread *
state_of(struct trace_scope *s)
{
    struct call_thread *c = s->stray ? NULL : call_thread_of(s);

    return c && c->pid == *trace_services->pid ? c : NULL;
}

/*
 * Called when the unwinder passes a trampoline's frame, because of an exception or the
 * end of a thread. The call that it leaves is the innermost one whose frame is above
 * the unwinder's own frames.
 */
__attribute__((used)) _Unwind_Reason_Code
call_personality(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                 struct _Unwind_Exception *exception, struct _Unwind_Context *context)
{
    struct trace_scope s;
    struct call_thread *c;

    (void)version;
    (void)class;
    (void)exception;
    (void)context;
    if (!(actions & _UA_CLEANUP_PHASE) || !trace_is_on() || !trace_enter(&s))
        return _URC_CONTINUE_UNWIND;
    c = state_of(&s);
    /*
     * Only if no open call is on another stack: else it is not known which call is
     * left.
     */
    if (c && !c->elsewhere) {
        drop_left(&s, c, (u64)(uintptr_t)__builtin_frame_address(0));
        if (c->depth)
            put_left(&s, &c->open[--c->depth], CALL_UNWOUND);
    }
    trace_leave(&s);
    return _URC_CONTINUE_UNWIND;
}

static void
jumped(u64 from, u64 to)
{
    struct trace_scope s;
    struct call_thread *c;

    if (!trace_is_on() || !trace_enter(&s))
        return;
    c = state_of(&s);
    while (c && c->depth && c->open[c->depth - 1].frame >= from &&
           c->open[c->depth - 1].frame < to)
        put_left(&s, &c->open[--c->depth], CALL_JUMPED);
    trace_leave(&s);
}

/*
 * Record an open call of another thread, which is running. If the call changes while it
 * is read, it has ended, and is not recorded.
 */
static void
put_pending(struct trace_scope *s, const struct call_thread *c, u32 at)
{
    const volatile struct call_open *live = &c->open[at];
    u64 since = live->since, ticks = trace_before(), frame = live->frame;
    struct call_open o;
    struct rec_pending r = { .time = ticks >> SHIFT_calltrace };
    struct trace *trace = &s->t->trace[TRACE_call];
    struct chunk_writer *w;

    memcpy(&o, &c->open[at], sizeof(o));
    if (__atomic_load_n(&c->depth, __ATOMIC_ACQUIRE) <= at || live->since != since ||
        live->frame != frame || o.len > CALL_BYTES)
        return;
    r.took = trace_between(since >> SHIFT_calltrace, r.time);
    r.function = (u32)(o.target - call_targets) + 1;
    r.node = o.node;
    r.thread = c->thread->id;
    r.values = (struct er_str){ (const char *)o.values, o.len };
    w = trace_open_for(s, trace, FILE_calltrace, ticks, TRACE_BYTES + o.len);
    if (w)
        trace_close_as(s, trace, w, rec_put_pending(&w->codec, trace_at(w), &r), 0);
}

static void
ending(struct thread *t)
{
    struct call_thread *c = t->trace[TRACE_call].own;
    struct trace_scope s;
    u32 depth;

    if (!trace_is_on() || !trace_enter(&s))
        return;
    depth = __atomic_load_n(&c->depth, __ATOMIC_ACQUIRE);
    if (c->pid == *trace_services->pid && t == s.t)
        while (c->depth)
            put_left(&s, &c->open[--c->depth], CALL_NOT_ENDED);
    else if (c->pid == *trace_services->pid)
        for (u32 i = 0; i < depth && i < CALL_DEPTH; i++)
            put_pending(&s, c, i);
    trace_leave(&s);
}

/*
 * Called when recording begins. A process that ran before us may be recorded several
 * times, with other functions each time.
 */
static void
started(void)
{
    static int read;
    int saved = errno;

    if (!read || resolve_is_late()) {
        call_slots_begin();
        call_record_begin();
        began = trace_before();
        read = call_table_read(*trace_services->founder) == 0;
    }
    if (read)
        call_slots_update();
    errno = saved;
}

/* libcollector.so calls this when recording begins, before any constructor has run. */
__attribute__((visibility("default"))) void ertools_call_begin(void);

__attribute__((visibility("default"))) void
ertools_call_begin(void)
{
    static int begun;

    if (begun)
        return;
    begun = 1;
    trace_start((const void *)(uintptr_t)ertools_call_begin, started);
    if (trace_services) {
        trace_services->calls->loaded = call_slots_update;
        trace_services->calls->redirect = call_slots_redirect;
        trace_services->calls->symbol = call_slots_symbol;
        trace_services->calls->jumped = jumped;
        trace_services->calls->ending = ending;
    }
}

static __attribute__((constructor)) void
start(void)
{
    ertools_call_begin();
}
