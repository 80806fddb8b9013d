/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filterbind.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/classes.h"
#include "print/model/lookup/comms.h"
#include "print/model/filter/filtermath.h"
#include "print/model/filter/filters.h"
#include "print/model/filter/filtersets.h"
#include "print/model/lookup/ranks.h"
#include "print/model/lookup/ompplaces.h"
#include "print/model/programs.h"

static u32
add_const(struct binding *b, int64_t value)
{
    return binding_add(b, (struct bound_node){ .kind = BOUND_CONST, .value = value });
}

static u32
bind_field(struct binding *b, const struct token_desc *token)
{
    enum bound_op kind = token->kind == TOKEN_IS_ADDRESS    ? BOUND_ADDRESS
                         : token->kind == TOKEN_IS_NUMBERED ? BOUND_NUMBERED
                         : token->kind == TOKEN_IS_PC       ? BOUND_PC
                                                            : BOUND_FIELD;
    int field = binding_field(b, token);

    if (field < 0)
        return binding_missing(b);
    return binding_add(b, (struct bound_node){ .kind = kind, .a = (u32)field });
}

/* Add a node for the sum of those fields of the token's source that the record has. */
static u32
bind_sum(struct binding *b, const struct token_desc *token)
{
    const char *source = token->source;
    struct token_source s;
    u32 sum = 0;

    while (b->record && filter_token_source(&source, &s) == 0) {
        struct bound_node node = { .kind = BOUND_FIELD };
        int field = schema_find_number(b->record, s.field);
        u32 more;

        if (strcmp(s.record, b->record->name) || field < 0)
            continue;
        node.a = (u32)field;
        more = binding_add(b, node);
        node = (struct bound_node){ .kind = BOUND_OP, .op = OP_ADD, .a = sum,
                                    .b = more };
        sum = sum ? binding_add(b, node) : more;
    }
    return sum ? sum : binding_missing(b);
}

static u32
bind_rank(struct binding *b)
{
    u32 rank = rank_of(b->out->experiment, false);

    return rank == RANK_NONE ? binding_missing(b) : add_const(b, rank);
}

static u32
bind_comm(struct binding *b, const struct token_desc *token)
{
    int field = binding_field(b, token);

    if (field < 0)
        return binding_missing(b);
    if (comms_map(b->session, b->out->index, &b->out->comms) < 0)
        b->no_memory = true;
    return binding_add(b, (struct bound_node){ .kind = BOUND_COMM, .a = (u32)field });
}

static u32
bind_java_thread(struct binding *b)
{
    const struct threads *threads = &b->out->experiment->threads;
    bool any = false;

    for (u32 i = 0; i < threads->count; i++)
        any |= threads->row[i].is_java;
    return any && b->record
               ? binding_add(b, (struct bound_node){ .kind = BOUND_JAVA_THREAD })
               : binding_missing(b);
}

static u32
bind_class(struct binding *b, const struct token_desc *token)
{
    int field = binding_field(b, token);

    if (field < 0)
        return binding_missing(b);
    if (classes_map(b->session, b->out->index, &b->out->classes) < 0)
        b->no_memory = true;
    return binding_add(b, (struct bound_node){ .kind = BOUND_CLASS, .a = (u32)field });
}

static u32
bind_omp(struct binding *b, const struct token_desc *token, enum ompplace_kind kind)
{
    int field = binding_field(b, token);

    if (field < 0)
        return binding_missing(b);
    if (ompplaces_map(b->session, b->out->index, &b->out->omp) < 0)
        b->no_memory = true;
    return binding_add(b, (struct bound_node){ .kind = BOUND_OMP, .a = (u32)field,
                                               .value = kind });
}

static u32
bind_ticks(struct binding *b, const struct token_desc *token)
{
    const char *text = log_fact(&b->out->experiment->log, "collect", "clock_ns");
    int64_t interval = text ? strtoll(text, NULL, 10) : 0;
    int field = binding_field(b, token);

    if (field < 0 || interval <= 0)
        return binding_missing(b);
    return binding_add(b, (struct bound_node){ .kind = BOUND_TICKS, .a = (u32)field,
                                               .value = interval });
}

static int
load_samples(struct bound_filter *f)
{
    struct experiment *e = f->experiment;

    if (f->sample)
        return 0;
    if (experiment_samples(e) < 0)
        return -ENOMEM;
    f->sample = calloc((size_t)e->samples.count + 1, sizeof(*f->sample));
    if (!f->sample)
        return -ENOMEM;
    f->samples = e->samples.count;
    for (u32 i = 0; i < f->samples; i++)
        f->sample[i] = clock_first(&e->clock, e->samples.row[i].mono, f->time_shift);
    return 0;
}

static u32
bind_time(struct binding *b, enum bound_op kind)
{
    int field = b->record ? schema_find_number(b->record, "time") : -1;

    if (field < 0 || b->timeless)
        return binding_missing(b);
    if (kind == BOUND_SAMPLE && load_samples(b->out) < 0)
        b->no_memory = true;
    return binding_add(b, (struct bound_node){ .kind = kind, .a = (u32)field });
}

static u32
bind_duration(struct binding *b, const struct token_desc *token, enum bound_op kind)
{
    int field = binding_field(b, token);
    int time = b->record ? schema_find_number(b->record, "time") : -1;

    if (field < 0 || time < 0)
        return binding_missing(b);
    return binding_add(b, (struct bound_node){ .kind = kind, .a = (u32)field,
                                               .b = (u32)time });
}

static u32
bind_token(struct binding *b, enum filter_token number)
{
    const struct token_desc *token = &filter_tokens[number];
    const struct experiment *e = b->out->experiment;

    switch (token->kind) {
    case TOKEN_IS_JAVA_THREAD:
        return bind_java_thread(b);
    case TOKEN_IS_THREAD:
        return b->record ? binding_add(b, (struct bound_node){ .kind = BOUND_THREAD })
                         : binding_missing(b);
    case TOKEN_IS_TID:
        return b->record ? binding_add(b, (struct bound_node){ .kind = BOUND_TID })
                         : binding_missing(b);
    case TOKEN_IS_PID:
        return e->pid ? add_const(b, e->pid) : binding_missing(b);
    case TOKEN_IS_PROGRAM_NUMBER:
        return add_const(b, programs_number(b->session, b->out->index));
    case TOKEN_IS_EXPERIMENT:
        return add_const(b, b->out->index + 1);
    case TOKEN_IS_GROUP:
        return add_const(b, e->group + 1);
    case TOKEN_IS_TIME:
        return bind_time(b, BOUND_TIME);
    case TOKEN_IS_SAMPLE:
        return bind_time(b, BOUND_SAMPLE);
    case TOKEN_IS_TICKS:
        return bind_ticks(b, token);
    case TOKEN_IS_TOOK:
        return bind_duration(b, token, BOUND_TOOK);
    case TOKEN_IS_ASKED:
        return bind_duration(b, token, BOUND_ASKED);
    case TOKEN_IS_DESCRIPTOR:
        return filtersets_descriptor(b, token);
    case TOKEN_IS_SUM:
        return bind_sum(b, token);
    case TOKEN_IS_RANK:
        return bind_rank(b);
    case TOKEN_IS_COMM:
        return bind_comm(b, token);
    case TOKEN_IS_CLASS:
        return bind_class(b, token);
    case TOKEN_IS_OMP_REGION:
        return bind_omp(b, token, OMPPLACE_REGION);
    case TOKEN_IS_OMP_TASK:
        return bind_omp(b, token, OMPPLACE_TASK);
    case TOKEN_IS_DATA:
        return filtersets_data(b, token);
    case TOKEN_IS_CALL_END:
        if (b->record && !strcmp(b->record->name, "pending"))
            return add_const(b, CALL_NOT_ENDED);
        return bind_field(b, token);
    case TOKEN_IS_REGION_NUMBER:
        return filtersets_region(b, BOUND_REGION);
    case TOKEN_IS_REGION_TIME:
        return filtersets_region(b, BOUND_REGION_TIME);
    default:
        return bind_field(b, token);
    }
}

/*
 * If the node compares the event's time with a constant, turn it into a comparison with
 * a constant in record times, which is faster. False: it does not, or cannot be turned.
 */
static bool
bind_before(struct binding *b, struct bound_node *node)
{
    const struct bound_node *left = &b->out->node[node->a];
    const struct bound_node *right = &b->out->node[node->b];
    const struct experiment *e = b->out->experiment;
    enum filter_op op = node->op;
    bool turned = right->kind == BOUND_TIME;
    const struct bound_node *time = turned ? right : left;
    int64_t value = turned ? left->value : right->value;

    if (op < OP_LT || op > OP_GE || time->kind != BOUND_TIME ||
        (turned ? left : right)->kind != BOUND_CONST || value < 0 ||
        value >= INT64_MAX / 2)
        return false;
    if (turned)
        op = op == OP_LT ? OP_GT : op == OP_GT ? OP_LT : op == OP_LE ? OP_GE : OP_LE;
    if ((op == OP_LE || op == OP_GT) && ++value < 0)
        return false;
    *node = (struct bound_node){ .kind = BOUND_BEFORE, .a = time->a };
    if (value)
        node->value = (int64_t)clock_first(&e->clock, e->origin_mono + (u64)value,
                                           b->out->time_shift);
    if (op == OP_GE || op == OP_GT) {
        u32 before = binding_add(b, *node);

        *node = (struct bound_node){ .kind = BOUND_OP, .op = OP_NOT, .a = before };
    }
    return true;
}

/*
 * Add a node that is true if the record's time is in [from, to), ns of CLOCK_MONOTONIC;
 * to = UINT64_MAX: no end. time: index of the field.
 */
static u32
bind_between(struct binding *b, u32 time, u64 from, u64 to)
{
    struct bound_filter *f = b->out;
    struct bound_node early = {
        .kind = BOUND_BEFORE, .a = time,
        .value = (int64_t)clock_first(&f->experiment->clock, from, f->time_shift),
    };
    struct bound_node node = { .kind = BOUND_OP, .op = OP_NOT };

    node.a = binding_add(b, early);
    node.a = binding_add(b, node);
    if (to == UINT64_MAX)
        return node.a;
    early.value = (int64_t)clock_first(&f->experiment->clock, to, f->time_shift);
    node.op = OP_AND;
    node.b = binding_add(b, early);
    return binding_add(b, node);
}

/* Add a node that is true in the intervals of a label: comparisons combined by OR. */
static u32
bind_label(struct binding *b, const char *name, size_t len)
{
    const struct labels *l = experiment_labels(b->out->experiment, false);
    int time = b->record ? schema_find_number(b->record, "time") : -1;
    struct bound_node either = { .kind = BOUND_OP, .op = OP_OR };
    u32 at = labels_find(l, 0, name, len);

    if (at == l->count || time < 0 || b->timeless)
        return binding_missing(b);
    for (; at < l->count; at = labels_find(l, at + 1, name, len)) {
        const struct label *row = &l->row[at];
        u64 to = row->stop == UINT64_MAX ? UINT64_MAX : l->from + row->stop;
        u32 one = bind_between(b, (u32)time, l->from + row->start, to);

        either.b = one;
        either.a = either.a ? binding_add(b, either) : one;
    }
    return either.a;
}

static bool
is_known(const struct binding *b, u32 node)
{
    return b->out->node[node].kind <= BOUND_MISSING;
}

/*
 * Add a node. If its value is the same for all events, replace the node by that value.
 */
static u32
add_folded(struct binding *b, struct bound_node node)
{
    struct filter_event nothing = { 0 };
    struct filter_value value;
    u32 at = binding_add(b, node);

    if (b->no_memory || node.op == OP_LIST || !is_known(b, node.a) ||
        (node.op >= OP_MUL && !is_known(b, node.b)) ||
        (node.op == OP_COND && !is_known(b, node.c)) ||
        (node.op >= OP_IN && node.op <= OP_ORDERED_IN))
        return at;
    value = filtermath_value(b->out, at, &nothing);
    b->out->node[at] = (struct bound_node){
        .kind = value.known ? BOUND_CONST : BOUND_MISSING, .value = value.v
    };
    return at;
}

/* Does one constant operand alone decide the value of && or ||? */
static bool
is_decided(const struct binding *b, enum filter_op op, u32 left, u32 right)
{
    for (int i = 0; i < 2; i++) {
        const struct bound_node *side = &b->out->node[i ? right : left];
        bool holds = side->kind == BOUND_CONST && side->value;

        if (side->kind <= BOUND_MISSING && holds == (op == OP_OR))
            return true;
    }
    return false;
}

/* Add a constant for PROGRAM == "..." or, if n->number is 1, PROGRAM != "...". */
static u32
bind_program(struct binding *b, const struct filter_node *n)
{
    const char *name = programs_name(b->out->experiment);
    bool fits = !regexec(&b->expr->pattern[n->pattern], name, 0, NULL, 0);

    return add_const(b, fits != (n->number == 1));
}

static u32
bind(struct binding *b, u32 number)
{
    const struct filter_node *n = &b->expr->node[number];
    struct bound_node node = { .kind = BOUND_OP, .op = n->op };
    u32 out;

    switch (n->op) {
    case OP_NONE:
        return 0;
    case OP_NUMBER:
        return add_const(b, n->number);
    case OP_TOKEN:
        return bind_token(b, n->token);
    case OP_FNAME:
        return binding_missing(b);
    case OP_FILES:
        if (filter_tokens[n->token].kind == TOKEN_IS_PROGRAM)
            return bind_program(b, n);
        if (filter_tokens[n->token].kind == TOKEN_IS_REGION)
            return filtersets_region_names(b, n);
        if (filter_tokens[n->token].kind == TOKEN_IS_CALL_NAME)
            return filtersets_call(b, n);
        return filtersets_files(b, n);
    case OP_CALLARG:
        return filtersets_call(b, n);
    case OP_FILEIOVFD:
        return filtersets_files(b, n);
    case OP_DNAME:
        return filtersets_names(b, n);
    case OP_REGIONTIME:
        return filtersets_region_names(b, n);
    case OP_LABEL:
        return bind_label(b, b->expr->text + n->number, n->a);
    default:
        break;
    }
    out = filterstack_find(b->out->tests, b->expr, number);
    if (out < b->out->tests->count)
        return binding_add(b, (struct bound_node){ .kind = BOUND_STACK, .a = out });
    node.a = bind(b, n->a);
    node.b = n->b ? bind(b, n->b) : 0;
    node.c = n->c ? bind(b, n->c) : 0;
    if (b->no_memory)
        return 0;
    /*
     * DNAME, a set of data objects, is on the left. An event has at most one data
     * object, so both IN and SOME IN ask whether this object is in that set.
     */
    if (b->out->node[node.a].kind == BOUND_DATASET)
        node = (struct bound_node){ .kind = BOUND_OP, .op = OP_SOME_IN, .a = node.b,
                                    .b = node.a };
    if ((n->op == OP_AND || n->op == OP_OR) &&
        is_decided(b, n->op, node.a, node.b))
        return add_const(b, n->op == OP_OR);
    return bind_before(b, &node) ? binding_add(b, node) : add_folded(b, node);
}

/*
 * A node that is true if nodes `one` and `other` are. `one` may be 0, which counts as
 * true.
 */
static u32
join(struct binding *b, u32 one, u32 other)
{
    struct bound_node both = { .kind = BOUND_OP, .op = OP_AND, .a = one, .b = other };
    const struct bound_node *node = &b->out->node[other];

    if (b->no_memory || (node->kind == BOUND_CONST && node->value))
        return one;
    if (!one)
        return other;
    return is_decided(b, OP_AND, one, other) ? add_const(b, 0) : binding_add(b, both);
}

static int
bind_parts(struct binding *b)
{
    const struct filter *filter = b->session->filter;
    u32 root = 0;

    binding_missing(b); /* [0] is none */
    for (u32 i = 0; i < FILTER_PARTS; i++) {
        b->expr = filter->part[i];
        if (b->expr)
            root = join(b, root, bind(b, b->expr->root));
    }
    b->out->root = root ? root : add_const(b, 1);
    return b->no_memory ? -ENOMEM : 0;
}

/*
 * Bind all parts of the session's filter to b->out, which becomes *out; NULL if every
 * event passes. 0 or -ENOMEM, and b->out is freed.
 */
static int
bind_all(struct binding *b, struct bound_filter **out)
{
    const struct bound_node *root;
    int ret = b->out ? experiment_clock(b->out->experiment) : -ENOMEM;

    if (ret == 0)
        ret = bind_parts(b);
    if (ret < 0) {
        filterbind_free(b->out);
        return ret;
    }
    root = &b->out->node[b->out->root];
    if (root->kind == BOUND_CONST && root->value) {
        filterbind_free(b->out);
        b->out = NULL;
    }
    *out = b->out;
    return 0;
}

static struct bound_filter *
new_bound(struct session *session, u32 index, u32 time_shift,
          const struct stack_tests *tests)
{
    struct bound_filter *f = calloc(1, sizeof(*f));

    if (!f)
        return NULL;
    f->experiment = session->experiment[index];
    f->tests = tests;
    f->index = index;
    f->time_shift = time_shift;
    return f;
}

int
filterbind(struct session *session, u32 index, const struct schema_file *file,
           const struct schema_record *record, bool timeless, struct bound_filter **out)
{
    struct binding b = { .session = session, .file = file, .record = record,
                         .timeless = timeless };
    int ret;

    *out = NULL;
    if (!filter_is_set(session))
        return 0;
    ret = filters_prepare(session);
    if (ret < 0)
        return ret;
    b.out = new_bound(session, index, file->time_shift, &session->filter->tests);
    return bind_all(&b, out);
}

int
filterbind_expr(struct session *session, u32 index, const struct schema_file *file,
                const struct schema_record *record, bool timeless,
                const struct filter_expr *expr, const struct stack_tests *tests,
                struct bound_filter **out)
{
    struct binding b = { .session = session, .file = file, .record = record,
                         .timeless = timeless, .expr = expr };

    b.out = new_bound(session, index, file ? file->time_shift : 0, tests);
    if (!b.out || experiment_clock(b.out->experiment) < 0)
        b.no_memory = true;
    if (!b.no_memory) {
        binding_missing(&b); /* [0] is none */
        b.out->root = bind(&b, expr->root);
    }
    if (b.no_memory) {
        filterbind_free(b.out);
        return -ENOMEM;
    }
    *out = b.out;
    return 0;
}

int
filterbind_pseudo(struct session *session, u32 index, u32 node, bool *passes)
{
    struct binding b = { .session = session };
    struct filter_event event = { .stack = node, .pseudo = true };
    struct bound_filter *bound = NULL;
    int ret;

    *passes = true;
    if (!filter_is_set(session))
        return 0;
    ret = filters_prepare(session);
    if (ret == 0) {
        b.out = new_bound(session, index, 0, &session->filter->tests);
        ret = bind_all(&b, &bound);
    }
    if (ret < 0)
        return ret;
    *passes = filterbind_accepts(bound, &event);
    filterbind_free(bound);
    return 0;
}
