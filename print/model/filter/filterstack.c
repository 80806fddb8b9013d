/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filterstack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/function.h"
#include "print/model/symbols/allstacks.h"

/* The state of making the tests of one expression. */
struct names {
    struct session *session;
    const struct filter_expr *expr;
    unsigned char *on_stack; /* by function: 1 = it is on some stack */
    unsigned char **named;   /* by pattern, then by function: 1 = the name matches */
    u32 functions;
    u32 *path;     /* functions of the stack `stack`, callers first */
    u32 depth;     /* elements of `path` */
    u32 room;
    u32 stack;     /* node of the stack for which tests are evaluated */
    u32 *mark;     /* by function: node of the last stack on which it was found */
};

static const struct site_frame *
frames_at(const struct session *session, u32 node, u32 *depth)
{
    const struct sites *sites = &session->stacks->sites;
    const struct site *site = &sites->site[session->stacks->node[node].site];

    *depth = site->depth;
    return &sites->frame[site->first];
}

static void
find_functions(struct names *n)
{
    const struct site_frame *frames;
    u32 depth;

    for (u32 i = 1; i < n->session->stacks->count; i++) {
        frames = frames_at(n->session, i, &depth);
        for (u32 k = 0; k < depth; k++)
            n->on_stack[frames[k].func] = 1;
    }
}

static bool
is_named(struct session *session, u32 function, const regex_t *pattern)
{
    for (int style = NAME_LONG; style <= NAME_MANGLED; style++) {
        const char *name = function_name_styled(session, function,
                                                (enum name_style)style);

        if (!regexec(pattern, name, 0, NULL, 0))
            return true;
    }
    return false;
}

static int
match_names(struct names *n)
{
    n->named = calloc((size_t)n->expr->npatterns + 1, sizeof(*n->named));
    if (!n->named)
        return -ENOMEM;
    for (u32 p = 0; p < n->expr->npatterns; p++) {
        n->named[p] = calloc((size_t)n->functions + 1, 1);
        if (!n->named[p])
            return -ENOMEM;
        for (u32 f = 0; f < n->functions; f++)
            if (n->on_stack[f])
                n->named[p][f] = is_named(n->session, f, &n->expr->pattern[p]);
    }
    return 0;
}

static void
names_close(struct names *n)
{
    for (u32 p = 0; n->named && p < n->expr->npatterns; p++)
        free(n->named[p]);
    free(n->named);
    free(n->on_stack);
    free(n->path);
    free(n->mark);
}

static int
names_open(struct names *n)
{
    n->functions = function_count(n->session);
    n->on_stack = calloc((size_t)n->functions + 1, 1);
    n->mark = calloc((size_t)n->functions + 1, sizeof(*n->mark));
    if (!n->on_stack || !n->mark)
        return -ENOMEM;
    find_functions(n);
    return match_names(n);
}

/* Set `path` to the functions of a stack. 0 or -ENOMEM. */
static int
set_path(struct names *n, u32 node)
{
    const struct stacks *stacks = n->session->stacks;
    u32 depth, total = 0, at;

    for (u32 i = node; i; i = stacks->node[i].parent) {
        frames_at(n->session, i, &depth);
        total += depth;
    }
    if (array_room(&n->path, &n->room, total, sizeof(*n->path)) < 0)
        return -ENOMEM;
    n->depth = at = total;
    n->stack = node;
    for (u32 i = node; i; i = stacks->node[i].parent) {
        const struct site_frame *frames = frames_at(n->session, i, &depth);

        at -= depth;
        for (u32 k = 0; k < depth; k++) {
            n->path[at + k] = frames[k].func;
            n->mark[frames[k].func] = node;
        }
    }
    return 0;
}

static enum token_kind
kind_of(const struct filter_node *node)
{
    return filter_tokens[node->token].kind;
}

/* Is a function among those of an element: FNAME, LEAF, or STACK? */
static bool
holds(const struct names *n, const struct filter_node *element, u32 function)
{
    if (element->op == OP_FNAME)
        return n->named[element->pattern][function];
    if (kind_of(element) == TOKEN_IS_LEAF)
        return n->path[n->depth - 1] == function;
    return n->mark[function] == n->stack;
}

/*
 * The first element of the operand `at`, which is a list or a single element. *rest:
 * the list of the other elements, 0 = there are none.
 */
static const struct filter_node *
element(const struct names *n, u32 at, u32 *rest)
{
    const struct filter_node *node = &n->expr->node[at];

    *rest = node->op == OP_LIST ? node->b : 0;
    return node->op == OP_LIST ? &n->expr->node[node->a] : node;
}

static bool
side_holds(const struct names *n, u32 side, u32 function)
{
    for (u32 at = side, rest; at; at = rest)
        if (holds(n, element(n, at, &rest), function))
            return true;
    return false;
}

/*
 * Are all functions of the operand `side` (or, unless `all`, at least one) also in the
 * operand `other`? False if `side` has no functions.
 */
static bool
compare_sides(const struct names *n, u32 side, u32 other, bool all)
{
    bool any = false;

    for (u32 at = side, rest; at; at = rest) {
        const struct filter_node *e = element(n, at, &rest);
        bool names = e->op == OP_FNAME;
        bool leaf = !names && kind_of(e) == TOKEN_IS_LEAF;
        u32 count = names ? n->functions : n->depth;

        for (u32 i = leaf ? n->depth - 1 : 0; i < count; i++) {
            u32 function = names ? i : n->path[i];

            if (names && !n->named[e->pattern][i])
                continue;
            if (side_holds(n, other, function) != all)
                return !all;
            any = true;
        }
    }
    return all && any;
}

/* An element of a sequence: one function, or any function that an FNAME matches. */
struct place {
    const struct filter_node *names; /* the FNAME; NULL = it is `function` */
    u32 function;
};

static u32
side_length(const struct names *n, u32 side)
{
    u32 length = 0;

    for (u32 at = side, rest; at; at = rest) {
        const struct filter_node *e = element(n, at, &rest);
        bool stack = e->op != OP_FNAME && kind_of(e) == TOKEN_IS_STACK;

        length += stack ? n->depth : 1;
    }
    return length;
}

static struct place
side_at(const struct names *n, u32 side, u32 number)
{
    for (u32 at = side, rest; at; at = rest) {
        const struct filter_node *e = element(n, at, &rest);
        bool stack = e->op != OP_FNAME && kind_of(e) == TOKEN_IS_STACK;
        u32 length = stack ? n->depth : 1;

        if (number >= length) {
            number -= length;
            continue;
        }
        if (e->op == OP_FNAME)
            return (struct place){ e, 0 };
        return (struct place){ NULL, n->path[stack ? number : n->depth - 1] };
    }
    return (struct place){ NULL, FUNC_TOTAL };
}

static bool
fit(const struct names *n, struct place a, struct place b)
{
    if (!a.names && !b.names)
        return a.function == b.function;
    if (!a.names || !b.names)
        return a.names ? n->named[a.names->pattern][b.function]
                       : n->named[b.names->pattern][a.function];
    for (u32 f = 0; f < n->functions; f++)
        if (n->named[a.names->pattern][f] && n->named[b.names->pattern][f])
            return true;
    return false;
}

/*
 * Do the functions of the operand `side` occur in the operand `other` in the same
 * order, without others between them?
 */
static bool
ordered(const struct names *n, u32 side, u32 other)
{
    u32 length = side_length(n, side), whole = side_length(n, other);

    for (u32 from = 0; from + length <= whole; from++) {
        u32 i = 0;

        while (i < length && fit(n, side_at(n, side, i), side_at(n, other, from + i)))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static bool
is_stack(const struct names *n, u32 side)
{
    const struct filter_node *node = &n->expr->node[side];

    return node->op == OP_TOKEN && kind_of(node) == TOKEN_IS_STACK;
}

/*
 * Evaluate a test of the most frequent form: whether a name is anywhere on the stack.
 * Then a node's result is 1 if its parent's is, or if one of its own frames matches.
 * False: the test has another form.
 */
static bool
fill_quickly(const struct names *n, struct stack_test *test, u32 nodes)
{
    const struct stacks *stacks = n->session->stacks;
    const struct filter_node *op = &n->expr->node[test->node];
    u32 name = is_stack(n, op->b) ? op->a : op->b, depth;
    const unsigned char *named;

    if (op->op != OP_SOME_IN || !is_stack(n, op->a + op->b - name) ||
        n->expr->node[name].op != OP_FNAME)
        return false;
    named = n->named[n->expr->node[name].pattern];
    for (u32 i = 1; i < nodes; i++) {
        const struct site_frame *frames = frames_at(n->session, i, &depth);
        unsigned char verdict = test->by_node[stacks->node[i].parent];

        for (u32 k = 0; k < depth; k++)
            verdict |= named[frames[k].func];
        test->by_node[i] = verdict;
    }
    return true;
}

static int
fill(struct names *n, struct stack_test *test, u32 nodes)
{
    const struct filter_node *op = &n->expr->node[test->node];

    if (fill_quickly(n, test, nodes))
        return 0;
    for (u32 i = 1; i < nodes; i++) {
        if (set_path(n, i) < 0)
            return -ENOMEM;
        if (op->op == OP_ORDERED_IN)
            test->by_node[i] = ordered(n, op->a, op->b);
        else
            test->by_node[i] = compare_sides(n, op->a, op->b, op->op == OP_IN);
    }
    return 0;
}

/* Set by_id: the test's results by the node ids of an experiment. 0 or -ENOMEM. */
static int
spread(struct session *session, struct stack_test *test, u32 experiment)
{
    const struct nodes *nodes = &session->experiment[experiment]->nodes;
    u32 unknown, node;
    unsigned char *by_id = test->by_id[experiment] = malloc((size_t)nodes->count + 1);
    struct node_row row;

    if (!by_id || stacks_pseudo(session, FUNC_UNKNOWN, &unknown) < 0)
        return -ENOMEM;
    memset(by_id, test->by_node[unknown], (size_t)nodes->count + 1);
    for (u32 id = 1; id < nodes->count; id++) {
        if (nodes_get(nodes, id, &row) < 0)
            continue;
        if (stacks_of(session, experiment, id, &node) < 0)
            return -ENOMEM;
        by_id[id] = test->by_node[node];
    }
    return 0;
}

static int
make_test(struct names *n, struct stack_tests *tests, u32 node)
{
    struct session *session = n->session;
    struct stack_test *grown, *test;

    grown = realloc(tests->test, (tests->count + 1) * sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    tests->test = grown;
    test = &grown[tests->count++];
    *test = (struct stack_test){ .expr = n->expr, .node = node };
    test->by_node = calloc((size_t)tests->nodes + 1, 1);
    test->by_id = calloc((size_t)session->nexperiments + 1, sizeof(*test->by_id));
    if (!test->by_node || !test->by_id || fill(n, test, tests->nodes) < 0)
        return -ENOMEM;
    for (u32 e = 0; e < session->nexperiments; e++)
        if (spread(session, test, e) < 0)
            return -ENOMEM;
    return 0;
}

static bool
is_stack_term(const struct filter_expr *expr, u32 node)
{
    const struct filter_node *n = &expr->node[node];

    return n->op >= OP_IN && n->op <= OP_ORDERED_IN &&
           expr->node[n->a].type == TYPE_FUNCTIONS;
}

static int
make_tests(struct session *session, const struct filter_expr *expr,
           struct stack_tests *tests)
{
    struct names n = { .session = session, .expr = expr };
    int ret = names_open(&n);

    for (u32 i = 1; i < expr->count && ret == 0; i++)
        if (is_stack_term(expr, i))
            ret = make_test(&n, tests, i);
    names_close(&n);
    return ret;
}

static bool
needs_stacks(const struct filter_expr *expr)
{
    for (u32 i = 1; expr && i < expr->count; i++)
        if (is_stack_term(expr, i))
            return true;
    return false;
}

int
filterstack_make(struct session *session, struct filter_expr *const *expr, u32 count,
                 struct stack_tests *out)
{
    struct stack_tests tests = { .experiments = session->nexperiments };
    bool met = false;
    int ret = 0;

    tests.ids = calloc((size_t)tests.experiments + 1, sizeof(*tests.ids));
    if (!tests.ids)
        return -ENOMEM;
    for (u32 e = 0; e < tests.experiments; e++)
        tests.ids[e] = session->experiment[e]->nodes.count;
    for (u32 i = 0; i < count && ret == 0; i++) {
        if (!needs_stacks(expr[i]))
            continue;
        ret = met ? 0 : allstacks_expand(session);
        met = true;
        tests.nodes = session->stacks->count;
        if (ret == 0)
            ret = make_tests(session, expr[i], &tests);
    }
    if (ret < 0)
        filterstack_free(&tests);
    else
        *out = tests;
    return ret;
}

void
filterstack_free(struct stack_tests *tests)
{
    for (u32 i = 0; i < tests->count; i++) {
        for (u32 e = 0; tests->test[i].by_id && e < tests->experiments; e++)
            free(tests->test[i].by_id[e]);
        free(tests->test[i].by_id);
        free(tests->test[i].by_node);
    }
    free(tests->test);
    free(tests->ids);
    memset(tests, 0, sizeof(*tests));
}

u32
filterstack_find(const struct stack_tests *tests, const struct filter_expr *expr,
                 u32 node)
{
    u32 i = 0;

    while (i < tests->count &&
           (tests->test[i].expr != expr || tests->test[i].node != node))
        i++;
    return i;
}
