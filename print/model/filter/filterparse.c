/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filterparse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "print/base/array.h"
#include "print/model/filter/filterlex.h"
#include "share/mpicall.h"

enum {
    DEPTH_MAX = 200,  /* most nested expressions */
    NAMES_MAX = 64,   /* most patterns of an expression */
    NODES_MAX = 8192, /* most nodes of an expression; also limits recursion over them */
    UNARY = 12,       /* level of unary operators, above those of all others */
};

struct parser {
    struct filter_lexer lexer;
    const struct session *session;
    struct filter_expr *expr;
    u32 depth;
    bool no_memory;
};

/* The binary operators. Those of a higher level bind closer; levels are as in C. */
static const struct {
    int what;
    u32 level;
    enum filter_op op;
} binary[] = {
    { LEX_OR, 2, OP_OR },
    { LEX_AND, 3, OP_AND },
    { '|', 4, OP_BIT_OR },
    { '^', 5, OP_BIT_XOR },
    { '&', 6, OP_BIT_AND },
    { LEX_EQ, 7, OP_EQ },
    { LEX_NE, 7, OP_NE },
    { '<', 8, OP_LT },
    { '>', 8, OP_GT },
    { LEX_LE, 8, OP_LE },
    { LEX_GE, 8, OP_GE },
    { LEX_IN, 8, OP_IN },
    { LEX_SOME_IN, 8, OP_SOME_IN },
    { LEX_ORDERED_IN, 8, OP_ORDERED_IN },
    { LEX_SHL, 9, OP_SHL },
    { LEX_SHR, 9, OP_SHR },
    { '+', 10, OP_ADD },
    { '-', 10, OP_SUB },
    { '*', 11, OP_MUL },
    { '/', 11, OP_DIV },
    { '%', 11, OP_MOD },
};

static int parse(struct parser *p, u32 level, u32 *out);

static int
fail(const struct parser *p, const char *at, const char *sentence)
{
    return filterlex_fail(&p->lexer, at, "%s", sentence);
}

static int
add(struct parser *p, struct filter_node node, u32 *out)
{
    struct filter_expr *e = p->expr;

    if (e->count == NODES_MAX)
        return fail(p, p->lexer.word, "the expression is too long");
    if (array_room(&e->node, &e->room, e->count + 1, sizeof(node)) < 0)
        return -ENOMEM;
    e->node[e->count] = node;
    *out = e->count++;
    return 0;
}

static enum filter_type
type_of(const struct parser *p, u32 node)
{
    return p->expr->node[node].type;
}

/* Is the value a set of numbers, which has no order? */
static bool
is_set(const struct parser *p, u32 node)
{
    return p->expr->node[node].op == OP_FILEIOVFD ||
           (p->expr->node[node].op == OP_DNAME && type_of(p, node) == TYPE_NUMBERS);
}

/* Check that an operand is a number. 0 or -EINVAL, with the error at `at`. */
static int
expect_number(const struct parser *p, u32 node, const char *at)
{
    /* DNAME without IN asks whether the event's data object matches. */
    if (p->expr->node[node].op == OP_DNAME)
        p->expr->node[node].type = TYPE_NUMBER;
    if (type_of(p, node) == TYPE_NUMBER)
        return 0;
    return fail(p, at, "a list stands here, and lists go only with IN, SOME IN and "
                       "ORDERED IN");
}

static int
expected(const struct parser *p, const char *what)
{
    const struct filter_lexer *l = &p->lexer;

    if (l->what == LEX_END)
        return filterlex_fail(l, l->word, "%s is missing at the end", what);
    return filterlex_fail(l, l->word, "%s is missing before \"%.*s\"", what,
                          l->len > 30 ? 30 : (int)l->len, l->word);
}

static int
expect(struct parser *p, int what, const char *name)
{
    if (p->lexer.what != what)
        return expected(p, name);
    return filterlex_next(&p->lexer);
}

/*
 * Compile the current word, a string, as a pattern that must match whole names;
 * *number: its index. 0, -EINVAL or -ENOMEM.
 */
static int
add_pattern(struct parser *p, u32 *number)
{
    const struct filter_lexer *l = &p->lexer;
    struct filter_expr *e = p->expr;
    char why[100], *text;
    int err;

    if (e->npatterns == NAMES_MAX)
        return fail(p, l->word, "there are too many names");
    if (asprintf(&text, "^(%.*s)$", (int)l->len, l->word) < 0)
        return -ENOMEM;
    err = regcomp(&e->pattern[e->npatterns], text, REG_EXTENDED | REG_NOSUB);
    free(text);
    if (err) {
        regerror(err, &e->pattern[e->npatterns], why, sizeof(why));
        return filterlex_fail(l, l->word, "this is no regular expression: %s", why);
    }
    *number = e->npatterns++;
    return 0;
}

/* Parse the parentheses of FNAME("..."), from which the current word is the first. */
static int
parse_argument(struct parser *p, struct filter_node node, u32 *out)
{
    int err = expect(p, '(', "\"(\"");

    if (!err && p->lexer.what != LEX_STRING)
        err = expected(p, "a name in quotation marks");
    if (!err)
        err = add_pattern(p, &node.pattern);
    if (!err)
        err = filterlex_next(&p->lexer);
    if (!err)
        err = expect(p, ')', "\")\"");
    return err ? err : add(p, node, out);
}

/* Parse FNAME("..."); the current word is FNAME, or another such word. */
static int
parse_call(struct parser *p, struct filter_node node, u32 *out)
{
    int err = filterlex_next(&p->lexer);

    return err ? err : parse_argument(p, node, out);
}

/* Parse IOFNAME == "..." or !=; the current word is IOFNAME, or another such word. */
static int
parse_text(struct parser *p, enum filter_token token, u32 *out)
{
    struct filter_node node = { .op = OP_FILES, .token = token };
    int err = filterlex_next(&p->lexer);

    if (err)
        return err;
    node.number = p->lexer.what == LEX_NE;
    if (p->lexer.what != LEX_EQ && p->lexer.what != LEX_NE)
        return expected(p, "== or !=");
    err = filterlex_next(&p->lexer);
    if (!err && p->lexer.what != LEX_STRING)
        err = expected(p, "a name in quotation marks");
    if (!err)
        err = add_pattern(p, &node.pattern);
    if (!err)
        err = filterlex_next(&p->lexer);
    return err ? err : add(p, node, out);
}

/*
 * Parse the text after the word CALLARG: ("...") or nothing, then a comparison with a
 * string, which becomes part of the same node. If no string follows, the node stands
 * for the argument's number.
 */
static int
parse_call_argument(struct parser *p, u32 *out)
{
    struct filter_node node = { .op = OP_CALLARG };
    bool one = p->lexer.what == '(', text;
    struct filter_lexer before;
    int err = one ? filterlex_next(&p->lexer) : 0;

    if (!err && one && p->lexer.what != LEX_STRING)
        err = expected(p, "an argument in quotation marks");
    if (!err && one) {
        node.number = p->lexer.word - p->lexer.text;
        node.a = p->lexer.len;
        err = filterlex_next(&p->lexer);
    }
    if (!err && one && !node.a)
        err = fail(p, p->lexer.word, "an argument has a name or a number");
    if (!err && one)
        err = expect(p, ')', "\")\"");
    if (err)
        return err;
    before = p->lexer;
    text = before.what == LEX_EQ || before.what == LEX_NE;
    if (!one && !text)
        return expected(p, "== or !=, or an argument in parentheses,");
    err = text ? filterlex_next(&p->lexer) : 0;
    if (!err && !one && p->lexer.what != LEX_STRING)
        err = expected(p, "a name in quotation marks");
    if (err)
        return err;
    if (text && p->lexer.what == LEX_STRING) {
        node.c = before.what == LEX_NE;
        err = add_pattern(p, &node.b);
        node.b++;
        if (!err)
            err = filterlex_next(&p->lexer);
    } else {
        p->lexer = before;
    }
    return err ? err : add(p, node, out);
}

static bool
is_word(const struct filter_lexer *l, const char *word)
{
    return strlen(word) == l->len && !strncasecmp(word, l->word, l->len);
}

/* Is the current word the name of a label that some experiment has? */
static bool
is_label(const struct parser *p)
{
    for (u32 i = 0; i < p->session->nexperiments; i++) {
        const struct labels *l = experiment_labels(p->session->experiment[i], false);

        if (labels_find(l, 0, p->lexer.word, p->lexer.len) < l->count)
            return true;
    }
    return false;
}

static int
parse_label(struct parser *p, u32 *out)
{
    const struct filter_lexer *l = &p->lexer;
    struct filter_node node = { .op = OP_LABEL, .a = l->len };
    int err;

    if (!is_label(p))
        return filterlex_fail(l, l->word, "there is no \"%.*s\"; describe lists what "
                              "there is", l->len > 40 ? 40 : (int)l->len, l->word);
    node.number = l->word - l->text;
    err = filterlex_next(&p->lexer);
    return err ? err : add(p, node, out);
}

/* Is the current word an MPI function? If so, set *node to the function's number. */
static bool
is_mpi_call(const struct filter_lexer *l, struct filter_node *node)
{
    char name[64];
    u32 number;

    if (l->len >= sizeof(name) || l->len < 5 || strncasecmp(l->word, "MPI_", 4))
        return false;
    memcpy(name, l->word, l->len);
    name[l->len] = '\0';
    number = mpicall_number(name);
    if (number)
        *node = (struct filter_node){ .op = OP_NUMBER, .number = number };
    return number != 0;
}

static int
parse_name(struct parser *p, u32 *out)
{
    const struct filter_lexer *l = &p->lexer;
    struct filter_node node = { .op = OP_TOKEN };
    int err;

    if (is_word(l, "FNAME"))
        return parse_call(p, (struct filter_node){ .op = OP_FNAME,
                                                   .type = TYPE_FUNCTIONS }, out);
    if (is_word(l, "FILEIOVFD"))
        return parse_call(p, (struct filter_node){ .op = OP_FILEIOVFD,
                                                   .type = TYPE_NUMBERS }, out);
    if (is_word(l, "DNAME"))
        return parse_call(p, (struct filter_node){ .op = OP_DNAME,
                                                   .type = TYPE_NUMBERS }, out);
    node.token = filter_token_find(l->word, l->len);
    if (node.token == TOKEN_COUNT && is_mpi_call(l, &node)) {
        err = filterlex_next(&p->lexer);
        return err ? err : add(p, node, out);
    }
    if (node.token == TOKEN_COUNT)
        return parse_label(p, out);
    if (filter_tokens[node.token].kind == TOKEN_IS_PROGRAM ||
        filter_tokens[node.token].kind == TOKEN_IS_CALL_NAME ||
        filter_tokens[node.token].kind == TOKEN_IS_REGION ||
        filter_tokens[node.token].kind == TOKEN_IS_FILE_NAME ||
        filter_tokens[node.token].kind == TOKEN_IS_FILE_SYSTEM)
        return parse_text(p, node.token, out);
    if (filter_tokens[node.token].kind == TOKEN_IS_LEAF ||
        filter_tokens[node.token].kind == TOKEN_IS_STACK)
        node.type = TYPE_FUNCTIONS;
    err = filterlex_next(&p->lexer);
    if (!err && node.token == TOKEN_CALLARG)
        return parse_call_argument(p, out);
    if (!err && node.token == TOKEN_REGIONTIME && l->what == '(') {
        node.op = OP_REGIONTIME;
        return parse_argument(p, node, out);
    }
    return err ? err : add(p, node, out);
}

static int
parse_element(struct parser *p, enum filter_type type, u32 *out)
{
    const char *at = p->lexer.word;
    int err = parse(p, 1, out);

    if (err)
        return err;
    if (p->expr->node[*out].op == OP_LIST || is_set(p, *out))
        return fail(p, at, "a list cannot stand in a list");
    if ((type_of(p, *out) == TYPE_FUNCTIONS) != (type == TYPE_FUNCTIONS))
        return fail(p, at, "a list holds functions or numbers, not both");
    return 0;
}

/*
 * Parse the other elements of a list in parentheses. *out: the first element; then the
 * list, whose nodes are linked by b.
 */
static int
parse_elements(struct parser *p, u32 *out)
{
    struct filter_node list = { .op = OP_LIST, .a = *out };
    u32 first, last;
    int err;

    list.type = type_of(p, list.a) == TYPE_FUNCTIONS ? TYPE_FUNCTIONS : TYPE_NUMBERS;
    err = add(p, list, &first);
    last = first;
    while (!err && p->lexer.what == ',') {
        u32 next;

        err = filterlex_next(&p->lexer);
        if (!err)
            err = parse_element(p, list.type, &list.a);
        if (!err)
            err = add(p, list, &next);
        if (err)
            return err;
        p->expr->node[last].b = next;
        last = next;
    }
    *out = first;
    return err;
}

static int
parse_parentheses(struct parser *p, u32 *out)
{
    int err = filterlex_next(&p->lexer);
    const char *at;

    at = p->lexer.word;
    if (!err)
        err = parse(p, 1, out);
    if (!err && p->lexer.what == ',' &&
        (p->expr->node[*out].op == OP_LIST || is_set(p, *out)))
        err = fail(p, at, "a list cannot stand in a list");
    if (!err && p->lexer.what == ',')
        err = parse_elements(p, out);
    return err ? err : expect(p, ')', "\")\"");
}

static int
parse_unary(struct parser *p, enum filter_op op, u32 *out)
{
    struct filter_node node = { .op = op };
    const char *at = p->lexer.word;
    int err = filterlex_next(&p->lexer);

    if (!err)
        err = parse(p, UNARY, &node.a);
    if (!err)
        err = expect_number(p, node.a, at);
    return err ? err : add(p, node, out);
}

static int
parse_operand(struct parser *p, u32 *out)
{
    struct filter_node node = { .op = OP_NUMBER, .number = p->lexer.number };
    int err;

    switch (p->lexer.what) {
    case LEX_NUMBER:
        err = filterlex_next(&p->lexer);
        return err ? err : add(p, node, out);
    case LEX_NAME:
        return parse_name(p, out);
    case '(':
        return parse_parentheses(p, out);
    case '!':
        return parse_unary(p, OP_NOT, out);
    case '-':
        return parse_unary(p, OP_NEGATE, out);
    case '~':
        return parse_unary(p, OP_COMPLEMENT, out);
    case LEX_STRING:
        return fail(p, p->lexer.word, "a name in quotation marks goes into FNAME()");
    default:
        return expected(p, "a value");
    }
}

static int
check_sides(const struct parser *p, const struct filter_node *node, const char *left,
            const char *right)
{
    bool lists = node->op >= OP_IN && node->op <= OP_ORDERED_IN;
    int err = 0;

    if (!lists) {
        err = expect_number(p, node->a, left);
        return err ? err : expect_number(p, node->b, right);
    }
    if ((type_of(p, node->a) == TYPE_FUNCTIONS) !=
        (type_of(p, node->b) == TYPE_FUNCTIONS))
        return fail(p, right, "one side has functions, the other numbers");
    if (node->op == OP_ORDERED_IN && (is_set(p, node->a) || is_set(p, node->b)))
        return fail(p, right, "files and data objects have no order: FILEIOVFD and "
                              "DNAME go with IN and SOME IN");
    return 0;
}

static int
parse_cond(struct parser *p, const char *start, u32 *out)
{
    struct filter_node node = { .op = OP_COND, .a = *out };
    const char *at = start;
    int err = expect_number(p, node.a, at);

    if (!err)
        err = filterlex_next(&p->lexer);
    at = p->lexer.word;
    if (!err)
        err = parse(p, 1, &node.b);
    if (!err)
        err = expect_number(p, node.b, at);
    if (!err)
        err = expect(p, ':', "\":\"");
    at = p->lexer.word;
    if (!err)
        err = parse(p, 1, &node.c);
    if (!err)
        err = expect_number(p, node.c, at);
    return err ? err : add(p, node, out);
}

/*
 * The index in `binary` of the operator at the current word, if its level is at least
 * `level`; else ER_COUNT(binary).
 */
static u32
operator_at(const struct parser *p, u32 level)
{
    for (u32 i = 0; i < ER_COUNT(binary); i++)
        if (binary[i].what == p->lexer.what && binary[i].level >= level)
            return i;
    return ER_COUNT(binary);
}

static int
parse_rest(struct parser *p, u32 level, const char *start, u32 *out)
{
    u32 i;
    int err = 0;

    while (!err && (i = operator_at(p, level)) < ER_COUNT(binary)) {
        struct filter_node node = { .op = binary[i].op, .a = *out };
        const char *right;

        err = filterlex_next(&p->lexer);
        right = p->lexer.word;
        if (!err)
            err = parse(p, binary[i].level + 1, &node.b);
        if (!err)
            err = check_sides(p, &node, start, right);
        if (!err)
            err = add(p, node, out);
    }
    if (!err && level == 1 && p->lexer.what == '?')
        err = parse_cond(p, start, out);
    return err;
}

/*
 * Parse an expression whose binary operators have at least this level; 1 = all
 * operators, also ?:.
 */
static int
parse(struct parser *p, u32 level, u32 *out)
{
    const char *start = p->lexer.word;
    int err;

    if (++p->depth > DEPTH_MAX)
        return fail(p, start, "the expression is nested too deep");
    err = parse_operand(p, out);
    if (!err && level < UNARY)
        err = parse_rest(p, level, start, out);
    p->depth--;
    return err;
}

static int
parse_all(struct parser *p, const char *text, struct filter_error *error)
{
    struct filter_expr *e = p->expr;
    struct filter_node none = { .op = OP_NONE };
    int err = add(p, none, &e->root);

    e->pattern = calloc(NAMES_MAX, sizeof(*e->pattern));
    e->text = strdup(text);
    if (err || !e->pattern || !e->text)
        return -ENOMEM;
    /* Parse the caller's text, so that it may be used for positions in errors. */
    err = filterlex_begin(&p->lexer, text, error);
    if (!err)
        err = parse(p, 1, &e->root);
    if (!err)
        err = expect_number(p, e->root, text);
    if (!err && p->lexer.what != LEX_END)
        err = expected(p, "an operator");
    return err;
}

int
filterparse(const struct session *session, const char *text, struct filter_expr **out,
            struct filter_error *error)
{
    struct parser p = { .session = session, .expr = calloc(1, sizeof(*p.expr)) };
    int err = p.expr ? parse_all(&p, text, error) : -ENOMEM;

    if (err) {
        filterparse_free(p.expr);
        return err;
    }
    *out = p.expr;
    return 0;
}

void
filterparse_free(struct filter_expr *expr)
{
    if (!expr)
        return;
    for (u32 i = 0; i < expr->npatterns; i++)
        regfree(&expr->pattern[i]);
    free(expr->pattern);
    free(expr->node);
    free(expr->text);
    free(expr);
}
