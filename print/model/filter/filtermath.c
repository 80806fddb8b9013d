/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filtermath.h"

#include "print/base/array.h"
#include "print/model/classes.h"
#include "print/model/lookup/comms.h"
#include "print/model/lookup/ompplaces.h"
#include "print/model/lookup/regionlanes.h"

static const struct filter_value unknown = { 0, false };

static inline struct filter_value
number(int64_t v)
{
    return (struct filter_value){ v, true };
}

static inline bool
holds(struct filter_value value)
{
    return value.known && value.v;
}

static int64_t
shifted(int64_t v, int64_t by, bool left)
{
    if (by < 0 || by > 63)
        return left || v >= 0 ? 0 : -1;
    return left ? (int64_t)((u64)v << by) : v >> by;
}

static struct filter_value
divided(enum filter_op op, int64_t a, int64_t b)
{
    if (b == 0)
        return unknown;
    if (b == -1) /* the least number has no opposite */
        return number(op == OP_DIV ? (int64_t)(0 - (u64)a) : 0);
    return number(op == OP_DIV ? a / b : a % b);
}

static struct filter_value
arithmetic(enum filter_op op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_MUL:
        return number((int64_t)((u64)a * (u64)b));
    case OP_ADD:
        return number((int64_t)((u64)a + (u64)b));
    case OP_SUB:
        return number((int64_t)((u64)a - (u64)b));
    case OP_SHL:
    case OP_SHR:
        return number(shifted(a, b, op == OP_SHL));
    case OP_BIT_AND:
        return number(a & b);
    case OP_BIT_XOR:
        return number(a ^ b);
    case OP_BIT_OR:
        return number(a | b);
    default:
        return divided(op, a, b);
    }
}

static bool
compare(enum filter_op op, int64_t a, int64_t b)
{
    switch (op) {
    case OP_LT:
        return a < b;
    case OP_LE:
        return a <= b;
    case OP_GT:
        return a > b;
    case OP_GE:
        return a >= b;
    case OP_EQ:
        return a == b;
    default:
        return a != b;
    }
}

/* The id of a thread, if it belongs to a Java program; else unknown. */
static struct filter_value
java_thread(const struct bound_filter *f, u32 thread)
{
    const struct thread_row *row = threads_find(&f->experiment->threads, thread);

    return row && row->is_java ? number(thread) : unknown;
}

/*
 * The value of the first element of the list `at`, which may also be a single number.
 * *rest: the list of the other elements, 0 = there are none.
 */
static struct filter_value
element(const struct bound_filter *f, u32 at, const struct filter_event *event,
        u32 *rest)
{
    const struct bound_node *node = &f->node[at];
    bool list = node->kind == BOUND_OP && node->op == OP_LIST;

    *rest = list ? node->b : 0;
    return filtermath_value(f, list ? node->a : at, event);
}

/* Is the file with that number in the node's set of files? */
static bool
in_set(const struct bound_filter *f, const struct bound_node *node, int64_t number)
{
    return number >= 0 && number < f->files->count && f->set[node->b][number];
}

static bool
has(const struct bound_filter *f, u32 list, const struct filter_event *event,
    struct filter_value wanted)
{
    if (f->node[list].kind == BOUND_FILES)
        return wanted.known && in_set(f, &f->node[list], wanted.v);
    if (f->node[list].kind == BOUND_DATASET)
        return wanted.known &&
               filterdata_has(&f->data_set[f->node[list].b], wanted.v);
    for (u32 at = list, rest; at && wanted.known; at = rest) {
        struct filter_value value = element(f, at, event, &rest);

        if (value.known && value.v == wanted.v)
            return true;
    }
    return false;
}

/* Like inside(), if the left operand is a set of files. */
static bool
set_inside(const struct bound_filter *f, const struct bound_node *node,
           const struct filter_event *event)
{
    const struct bound_node *set = &f->node[node->a];
    bool all = node->op == OP_IN;

    for (u32 i = 0; i < f->files->count; i++)
        if (in_set(f, set, i) && has(f, node->b, event, number(i)) != all)
            return !all;
    return all;
}

/*
 * Are all (IN) or some (SOME IN) of the numbers in the left list also in the right
 * list?
 */
static bool
inside(const struct bound_filter *f, const struct bound_node *node,
       const struct filter_event *event)
{
    bool all = node->op == OP_IN;

    if (f->node[node->a].kind == BOUND_FILES)
        return set_inside(f, node, event);
    for (u32 at = node->a, rest; at; at = rest)
        if (has(f, node->b, event, element(f, at, event, &rest)) != all)
            return !all;
    return all;
}

/* Does the list `right` begin with the whole list `left`? */
static bool
begins(const struct bound_filter *f, u32 left, u32 right,
       const struct filter_event *event)
{
    while (left && right) {
        struct filter_value a = element(f, left, event, &left);
        struct filter_value b = element(f, right, event, &right);

        if (!a.known || !b.known || a.v != b.v)
            return false;
    }
    return !left;
}

static bool
inside_ordered(const struct bound_filter *f, const struct bound_node *node,
               const struct filter_event *event)
{
    for (u32 right = node->b, rest; right; right = rest) {
        if (begins(f, node->a, right, event))
            return true;
        element(f, right, event, &rest);
    }
    return false;
}

static struct filter_value
evaluate(const struct bound_filter *f, const struct bound_node *node,
         const struct filter_event *event)
{
    struct filter_value a, b;

    if (node->op == OP_ORDERED_IN)
        return number(inside_ordered(f, node, event));
    if (node->op == OP_IN || node->op == OP_SOME_IN)
        return number(inside(f, node, event));
    a = filtermath_value(f, node->a, event);
    switch (node->op) {
    case OP_NOT:
        return number(!holds(a));
    case OP_AND:
        return number(holds(a) && holds(filtermath_value(f, node->b, event)));
    case OP_OR:
        return number(holds(a) || holds(filtermath_value(f, node->b, event)));
    case OP_COND:
        return filtermath_value(f, holds(a) ? node->b : node->c, event);
    case OP_NEGATE:
        return a.known ? number((int64_t)(0 - (u64)a.v)) : unknown;
    case OP_COMPLEMENT:
        return a.known ? number(~a.v) : unknown;
    default:
        break;
    }
    b = filtermath_value(f, node->b, event);
    if (node->op >= OP_LT && node->op <= OP_NE)
        return number(a.known && b.known && compare(node->op, a.v, b.v));
    return a.known && b.known ? arithmetic(node->op, a.v, b.v) : unknown;
}

/* The number, from 1, of the first sample point after a record time. */
static int64_t
sample_of(const struct bound_filter *f, u64 time)
{
    return (int64_t)array_above(f->sample, f->samples, time) + 1;
}

static int64_t
since_start(const struct bound_filter *f, u64 time)
{
    const struct experiment *e = f->experiment;

    return (int64_t)experiment_since(e, clock_mono(&e->clock, time << f->time_shift));
}

/*
 * The record time of the event or, if the event is cut into pieces, of the piece.
 */
static u64
time_of(const struct bound_node *node, const struct filter_event *event)
{
    return event->moment ? *event->moment : event->row[node->a];
}

/* When the event ended or, if `begin`, when it began; in ns of CLOCK_MONOTONIC. */
static u64
moment(const struct bound_filter *f, const struct bound_node *node, const u64 *row,
       bool begin)
{
    u64 time = row[node->b], duration = row[node->a];

    if (begin)
        time = duration < time ? time - duration : 0;
    return clock_mono(&f->experiment->clock, time << f->time_shift);
}

static int64_t
duration(const struct bound_filter *f, const struct bound_node *node, const u64 *row)
{
    return (int64_t)(moment(f, node, row, false) - moment(f, node, row, true));
}

static int64_t
begin_of(const struct bound_filter *f, const struct bound_node *node, const u64 *row)
{
    return (int64_t)experiment_since(f->experiment, moment(f, node, row, true));
}

static const struct filter_file *
file_of(const struct bound_filter *f, u64 number)
{
    const struct filter_files *files = f->files;

    return number < files->count && files->file[number].known ? &files->file[number]
                                                              : NULL;
}

static struct filter_value
named(const struct bound_filter *f, const struct bound_node *node, u64 file)
{
    if (!file_of(f, file))
        return unknown;
    return number(in_set(f, node, (int64_t)file) != (bool)node->value);
}

static struct filter_value
descriptor(const struct bound_filter *f, u64 file)
{
    const struct filter_file *found = file_of(f, file);

    return found && found->fd >= 0 ? number(found->fd) : unknown;
}

/* The number of the data object that an event accessed. */
static struct filter_value
data_of(const struct bound_filter *f, const struct bound_node *node,
        const struct filter_event *event)
{
    const u64 *row = event->row;
    int64_t at;

    if (node->value)
        at = filterdata_block(f->data, f->index, event->stack, row[node->a] != 0);
    else
        at = filterdata_access(f->data, f->index, row[node->b] << f->time_shift,
                               row[node->a], node->c && row[node->c - 1]);
    return at < 0 ? unknown : number(at);
}

/*
 * The region instance in which an event happened or, for a span, which it records.
 * Returns its index in (*lane)->span + 1, 0 = none.
 */
static u32
instance_of(const struct bound_filter *f, const struct bound_node *node,
            const struct filter_event *event, const struct region_lane **lane)
{
    u32 slot = threads_slot(&f->experiment->threads, event->thread);
    u64 last = ((u64)1 << f->time_shift) - 1;

    *lane = regionlanes_of(f->regions, f->index, slot);
    if (node->c)
        return regionlanes_ended(&f->regions->experiment[f->index], *lane,
                                 event->row[node->a] << f->time_shift,
                                 event->row[node->c - 1]);
    /*
     * Record times lack their last bits. Take the latest possible tick, so that an
     * event is not before a region that began in the same unit.
     */
    return regionlanes_at(*lane, time_of(node, event) << f->time_shift | last);
}

static struct filter_value
region_of(const struct bound_filter *f, const struct bound_node *node,
          const struct filter_event *event)
{
    const struct region_lane *lane;
    u32 at = instance_of(f, node, event, &lane);
    const struct region_span *span;
    const unsigned char *set;

    if (node->kind == BOUND_REGION)
        return at ? number(lane->span[at - 1].region) : unknown;
    if (node->kind == BOUND_REGION_IN)
        return at ? number(f->region_set[node->b][lane->span[at - 1].region] !=
                           (bool)node->value) : unknown;
    set = node->b ? f->region_set[node->b - 1] : NULL;
    while (at && set && !set[lane->span[at - 1].region])
        at = lane->span[at - 1].around;
    if (!at || lane->span[at - 1].to == UINT64_MAX)
        return unknown;
    span = &lane->span[at - 1];
    return number((int64_t)(clock_mono(&f->experiment->clock, span->to) -
                            clock_mono(&f->experiment->clock, span->from)));
}

static struct filter_value
call_of(const struct bound_filter *f, const struct bound_node *node, const u64 *row)
{
    const struct filter_call_set *set = &f->call_set[node->b];
    struct filter_call call = {
        .callee = (u32)row[node->a],
        .end = f->call_end < 0 ? CALL_NOT_ENDED : (u32)row[f->call_end],
        .values = *(const struct er_str *)(uintptr_t)row[node->c],
    };
    int64_t value;
    bool known;

    if (node->kind == BOUND_CALLARG)
        return filtercalls_number(f->calls, set, &call, &value) ? number(value)
                                                                : unknown;
    value = filtercalls_fits(f->calls, set, &call, &known) != (bool)node->value;
    return known ? number(value) : unknown;
}

static bool
stack_passes(const struct bound_filter *f, u32 number, const struct filter_event *event)
{
    const struct stack_test *test = &f->tests->test[number];
    u32 id = event->stack;

    if (event->pseudo)
        return id < f->tests->nodes && test->by_node[id];
    return test->by_id[f->index][id < f->tests->ids[f->index] ? id : 0];
}

static struct filter_value
unless_0(u64 v)
{
    return v ? number((int64_t)v) : unknown;
}

static struct filter_value
pc_of(const struct bound_filter *f, u64 node)
{
    struct node_row row;

    if (node > UINT32_MAX || nodes_get(&f->experiment->nodes, (u32)node, &row) < 0)
        return unknown;
    if (row.flags & (NODE_JOINED | NODE_WAITING))
        return unknown;
    return number((int64_t)row.pc);
}

struct filter_value
filtermath_value(const struct bound_filter *f, u32 at, const struct filter_event *event)
{
    const struct bound_node *node = &f->node[at];

    switch (node->kind) {
    case BOUND_CONST:
        return number(node->value);
    case BOUND_MISSING:
        return unknown;
    case BOUND_FIELD:
        return number((int64_t)event->row[node->a]);
    case BOUND_ADDRESS:
        return unless_0(event->row[node->a]);
    case BOUND_PC:
        return pc_of(f, event->row[node->a]);
    case BOUND_TICKS:
        return number(((int64_t)event->row[node->a] + node->value / 2) / node->value);
    case BOUND_THREAD:
        return unless_0(event->thread);
    case BOUND_TID:
        return unless_0(event->tid);
    case BOUND_NUMBERED:
        return event->row[node->a] ? number((int64_t)event->row[node->a] - 1) : unknown;
    case BOUND_JAVA_THREAD:
        return java_thread(f, event->thread);
    case BOUND_CLASS:
        return unless_0(number_of(f->classes, event->row[node->a]));
    case BOUND_COMM:
        return unless_0(number_of(f->comms, event->row[node->a]));
    case BOUND_OMP:
        return unless_0(ompplaces_number(f->omp, (enum ompplace_kind)node->value,
                                         event->row[node->a]));
    case BOUND_TIME:
        return number(since_start(f, time_of(node, event)));
    case BOUND_SAMPLE:
        return number(sample_of(f, time_of(node, event)));
    case BOUND_TOOK:
        return number(duration(f, node, event->row));
    case BOUND_ASKED:
        return number(begin_of(f, node, event->row));
    case BOUND_BEFORE:
        return number(time_of(node, event) < (u64)node->value);
    case BOUND_FILE:
        return named(f, node, event->row[node->a]);
    case BOUND_FILES:
    case BOUND_DATASET:
        return unknown;
    case BOUND_DATA:
        return data_of(f, node, event);
    case BOUND_REGION:
    case BOUND_REGION_IN:
    case BOUND_REGION_TIME:
        return region_of(f, node, event);
    case BOUND_CALL:
    case BOUND_CALLARG:
    case BOUND_CALLTEXT:
        return call_of(f, node, event->row);
    case BOUND_FD:
        return descriptor(f, event->row[node->a]);
    case BOUND_STACK:
        return number(stack_passes(f, node->a, event));
    case BOUND_OP:
        return evaluate(f, node, event);
    }
    return unknown;
}
