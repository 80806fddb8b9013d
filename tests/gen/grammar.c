/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gen/grammar.h"

#include <stdarg.h>
#include <string.h>

#include "print/model/symbols/function.h"
#include "print/model/metric.h"

u32
grammar_below(struct grammar *g, u32 n)
{
    u64 z = g->seed += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return (u32)((z ^ z >> 31) >> 32) % n;
}

static __attribute__((format(printf, 2, 3))) void
put(struct grammar *g, const char *format, ...)
{
    size_t room = sizeof(g->line) - g->used;
    va_list ap;
    int n;

    va_start(ap, format);
    n = vsnprintf(g->line + g->used, room, format, ap);
    va_end(ap);
    g->used += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

#define ONE_OF(g, ...) \
    one_of(g, (const char *const[]){ __VA_ARGS__ }, \
           ER_COUNT(((const char *const[]){ __VA_ARGS__ })))

static const char *
one_of(struct grammar *g, const char *const *words, u32 n)
{
    return words[grammar_below(g, n)];
}

static const char *
token(struct grammar *g)
{
    static const char *const tokens[] = {
#define FILTER_TOKEN(NAME, kind, source, doc) #NAME,
#include "print/tokens.def"
#undef FILTER_TOKEN
    };

    return one_of(g, tokens, ER_COUNT(tokens));
}

/* Words of er_print's other tables. */
static const char *const types[] = {
#define ER_INDEX(name, kind, first, second, form, title, doc) #name,
#include "print/indexes.def"
#undef ER_INDEX
};

static const char *const refused[] = {
#define ABSENT(name, kind, why) name,
#include "print/absent.def"
#undef ABSENT
};

static const char *const ratios[] = {
#define RATIO(metric, title, over, under, scale, doc) #metric,
#include "print/ratios.def"
#undef RATIO
};

static const char *const forms[] = {
#define ER_EXPORT(name, doc) #name,
#include "print/exports.def"
#undef ER_EXPORT
};

static const char *const calls[] = {
#define ER_MPICALL(name, number, kind, mode, doc) "MPI_" #name,
#include "share/mpicalls.def"
#undef ER_MPICALL
};

#define ANY_OF(g, words) one_of(g, words, ER_COUNT(words))

static void
put_function(struct grammar *g)
{
    u32 count = g->session->nexperiments ? function_count(g->session) : 0;

    if (!count || !grammar_below(g, 5))
        put(g, "%s", ONE_OF(g, "main", "nowhere", "<Total>", "mix.c", "", "a(b"));
    else
        put(g, "%s", function_name(g->session, grammar_below(g, count)));
}

static void
put_number(struct grammar *g)
{
    switch (grammar_below(g, 6)) {
    case 0:
        put(g, "%u", grammar_below(g, 3));
        break;
    case 1:
        put(g, "%u", grammar_below(g, 5000));
        break;
    case 2:
        put(g, "%u.%us", grammar_below(g, 3), grammar_below(g, 100));
        break;
    case 3:
        put(g, "%u%s", grammar_below(g, 999), ONE_OF(g, "ms", "us", "ns", "s", "k"));
        break;
    case 4:
        put(g, "%#x", grammar_below(g, UINT32_MAX));
        break;
    default:
        put(g, "%s", ONE_OF(g, "18446744073709551615", "-1", "99999999999999999999",
                            "9223372036854775808", "0"));
    }
}

static void put_expression(struct grammar *g, u32 depth);

static void
put_pattern(struct grammar *g)
{
    put(g, "%s(\"%s\")",
        ONE_OF(g, "FNAME", "DNAME", "FNAME", "FILEIOVFD", "IOFNAME"),
        ONE_OF(g, ".*", "alpha", "ma.n", "[a", "(a|b)*", "", "\\\\w+", "mix",
               "Block of .*", "<.*>"));
}

static void
put_value(struct grammar *g, u32 depth)
{
    switch (grammar_below(g, depth ? 11 : 4)) {
    case 0:
    case 1:
        put(g, "%s", token(g));
        break;
    case 2:
    case 3:
        put_number(g);
        break;
    case 4:
        put(g, "%s", ONE_OF(g, "!", "-", "~", "+"));
        put_value(g, depth - 1);
        break;
    case 5:
        put(g, "(");
        put_expression(g, depth - 1);
        put(g, ")");
        break;
    case 6:
        put_pattern(g);
        put(g, " %s %s", ONE_OF(g, "IN", "SOME IN", "ORDERED IN", "=="),
            ONE_OF(g, "STACK", "USTACK", "LEAF", "IOFNAME", "DOBJ", "IOVFD"));
        break;
    case 7:
        put(g, "%s %s ", token(g), ONE_OF(g, "IN", "SOME IN", "==", "!="));
        put_pattern(g);
        break;
    case 8:
        put(g, "%s %s %s", token(g), ONE_OF(g, "==", "!="),
            grammar_below(g, 2) ? ANY_OF(g, calls) : "\"/.*\"");
        break;
    case 9:
        put(g, "%s IN (%u, ", token(g), grammar_below(g, 9));
        put_value(g, depth - 1);
        put(g, ")");
        break;
    default:
        put_expression(g, depth - 1);
        put(g, " ? ");
        put_value(g, depth - 1);
        put(g, " : ");
        put_value(g, depth - 1);
    }
}

static void
put_expression(struct grammar *g, u32 depth)
{
    put_value(g, depth);
    for (u32 n = grammar_below(g, 3); n && depth; n--) {
        put(g, " %s ",
            ONE_OF(g, "+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&",
                   "||", "&", "|", "^", "<<", ">>", ",", "IN"));
        put_value(g, depth - 1);
    }
}

static void
put_spec(struct grammar *g)
{
    u32 n = 1 + grammar_below(g, 4);

    put(g, "%s", ONE_OF(g, "", "", "", "-"));
    for (u32 i = 0; i < n; i++) {
        const char *name = metrics[grammar_below(g, METRIC_COUNT)].name;

        put(g, "%s%s%s%s", i ? ":" : "", ONE_OF(g, "e", "i", "a", "d", "ie", "x"),
            ONE_OF(g, ".", "%", "+", "!", ".%", ""),
            grammar_below(g, 4) ? name
                                : grammar_below(g, 2)
                                ? ANY_OF(g, ratios)
                                : ONE_OF(g, "any", "hwc", "name", "size", "address",
                                         "default", "nothing"));
    }
}

static void
put_list(struct grammar *g)
{
    put(g, "%s", ONE_OF(g, "all", "mix", "libc.so.6", "mix,nothing", "1", "1-3,2",
                        "2:1-2", "1:", "-", "3-1", ",", "99999999999999999999"));
}

static const char *
experiment(struct grammar *g)
{
    u32 n = g->session->nexperiments;

    if (n && grammar_below(g, 3))
        return g->session->experiment[grammar_below(g, n)]->path;
    return ONE_OF(g, "nothing.er", "1", "9", "", ".");
}

/* What any argument might be. */
static void
put_any(struct grammar *g)
{
    switch (grammar_below(g, 10)) {
    case 0:
        put_function(g);
        break;
    case 1:
        put_number(g);
        break;
    case 2:
        put_spec(g);
        break;
    case 3:
        put_list(g);
        break;
    case 4:
        put_expression(g, 2);
        break;
    case 5:
        put(g, "%s", commands[grammar_below(g, ncommands)].name);
        break;
    case 6:
        put(g, "%s", ANY_OF(g, refused));
        break;
    case 7:
        put(g, "%s", grammar_below(g, 2) ? ANY_OF(g, types) : ANY_OF(g, forms));
        break;
    default:
        put(g, "%s",
            ONE_OF(g, "\"\"", "\"", "'", "\\", "\033[2J", "\xff\xfe", "\u00e4\u6f22",
                   "text", "json", ",", ";", "user", "expert", "machine", "on", "off",
                   "delta", "ratio", "long", "short", "mangled:soname", "threads",
                   "cpus", "processes", "experiments", "functions", "stacks", "ms",
                   "Mine", "default", "all", "#", "%n"));
    }
}

/* Whether an argument of the table is called so, be it in brackets or not. */
static bool
is(const char *args, const char *name)
{
    size_t n = strlen(name);

    args += *args == '[';
    return !strncmp(args, name, n) && strchr(" ]", args[n]);
}

static void
put_argument(struct grammar *g, const char *args)
{
    if (!grammar_below(g, 6))
        put_any(g);
    else if (is(args, "F"))
        put_function(g);
    else if (is(args, "N") || is(args, "PERCENT"))
        put(g, "%u", grammar_below(g, grammar_below(g, 2) ? 4 : 200));
    else if (is(args, "SPEC"))
        put_spec(g);
    else if (is(args, "LIST"))
        put_list(g);
    else if (is(args, "EXPR"))
        put_expression(g, 3);
    else if (is(args, "EXPERIMENT"))
        put(g, "%s", experiment(g));
    else if (is(args, "COMMAND"))
        put(g, "%s", commands[grammar_below(g, ncommands)].name);
    else if (is(args, "FILE"))
        put(g, "%s", ONE_OF(g, "-", "out.txt", "nowhere/out", "."));
    else if (is(args, "TYPE"))
        put(g, "%s", grammar_below(g, 5) ? ANY_OF(g, types)
                                         : ONE_OF(g, "Mine", "Yours", "9x"));
    else if (is(args, "MODE"))
        put(g, "%s", grammar_below(g, 2)
                         ? ANY_OF(g, forms)
                         : ONE_OF(g, ",", ";", "user", "expert", "machine", "on", "off",
                                  "delta", "ratio"));
    else
        put_any(g);
}

/* Something went wrong under way: a byte is lost, doubled or another, or all ends. */
static void
damage(struct grammar *g)
{
    u32 at = g->used ? grammar_below(g, (u32)g->used) : 0;

    if (!g->used)
        return;
    switch (grammar_below(g, 4)) {
    case 0:
        g->line[at] = (char)(1 + grammar_below(g, 255));
        break;
    case 1:
        memmove(&g->line[at], &g->line[at + 1], g->used - at);
        break;
    case 2:
        if (g->used + 1 < sizeof(g->line))
            memmove(&g->line[at + 1], &g->line[at], g->used - at + 1);
        break;
    default:
        g->line[at] = '\0';
    }
    g->used = strlen(g->line);
}

/* A line is a line; and files are written nowhere but here, whatever became of it. */
static void
make_harmless(char *line)
{
    char before = ' ';

    for (char *p = line; *p; before = *p++)
        if (*p == '\n' || (*p == '/' && p[1] != ' ' && strchr(" \t\r\"'\\", before)))
            *p = '_';
}

const char *
grammar_line(struct grammar *g)
{
    const struct command *c = &commands[grammar_below(g, ncommands)];
    const char *args = c->args ? c->args : "";

    g->used = 0;
    put(g, "%s", c->name);
    for (const char *p = args; *p; p += strcspn(p, " "), p += *p == ' ') {
        if (*p == '[' && grammar_below(g, 2))
            break;
        put(g, " ");
        put_argument(g, p);
    }
    if (!grammar_below(g, 12)) {
        put(g, " ");
        put_any(g);
    }
    if (!grammar_below(g, 10))
        damage(g);
    make_harmless(g->line);
    return g->line;
}
