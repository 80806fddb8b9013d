/* SPDX-License-Identifier: Apache-2.0 */
#include "share/calltype.h"

#include <string.h>

#include "share/callread.h"

/*
 * Read an argument's name, as in NAME:TYPE; len 0 = it has none. If a digit follows the
 * colon, the word is a type with a limit, as in str:80.
 */
static struct call_span
read_argument_name(struct call_reader *r)
{
    u32 before = r->at;
    struct call_span name = callread_word(r);

    if (name.len && !callread_is_digit(r->row[name.at]) && callread_accept(r, ':') &&
        !callread_is_digit(callread_peek(r)))
        return name;
    r->at = before;
    return (struct call_span){ 0, 0 };
}

static void
read_arguments(struct call_reader *r, struct call_row *row)
{
    struct call_type *t = r->type;

    if (callread_accept(r, ')'))
        return;
    do {
        struct call_shape *s = &row->argument[t->arguments];

        if (callread_peek(r) == '.' && r->len - r->at >= 3 &&
            !memcmp(r->row + r->at, "...", 3)) {
            r->at += 3;
            t->variadic = 1;
            break;
        }
        if (t->arguments == CALL_ARGUMENTS) {
            callread_fail(r, "too many arguments");
            return;
        }
        memset(s, 0, sizeof(*s));
        t->argument[t->arguments] = read_argument_name(r);
        callread_type(r, s, 0);
        if (!r->wrong && !s->parts && (t->arguments || callread_peek(r) != ')'))
            callread_fail(r, "void is no type of an argument");
        t->arguments += s->parts != 0;
    } while (callread_accept(r, ','));
    callread_expect(r, ')', "')' is missing");
}

static void
add_range(struct call_reader *r, int64_t lo, int64_t hi)
{
    struct call_type *t = r->type;

    if (t->ranges == CALL_RANGES) {
        callread_fail(r, "too many numbers in ok() or bad()");
        return;
    }
    t->range[t->ranges].lo = lo;
    t->range[t->ranges++].hi = hi;
}

static void
read_ranges(struct call_reader *r)
{
    do {
        if (callread_accept(r, '<')) {
            add_range(r, INT64_MIN, callread_number(r) - 1);
        } else if (callread_accept(r, '>')) {
            add_range(r, callread_number(r) + 1, INT64_MAX);
        } else {
            int64_t value = callread_number(r);

            add_range(r, value, value);
        }
    } while (callread_accept(r, ','));
    callread_expect(r, ')', "')' is missing");
}

static void
read_verdict(struct call_reader *r, const struct call_shape *result)
{
    struct call_type *t = r->type;
    struct call_span word = callread_word(r);

    if (callread_is(r, word, "ok"))
        t->verdict = CALL_OK_LIST;
    else if (callread_is(r, word, "bad"))
        t->verdict = CALL_BAD_LIST;
    else if (word.len)
        r->at = word.at, callread_fail(r, "ok(...) or bad(...) may stand here");
    if (t->verdict && !result->parts)
        callread_fail(r, "there is no result to judge");
    if (t->verdict && callread_expect(r, '(', "ok and bad want numbers: bad(<0)"))
        read_ranges(r);
    if (!t->verdict && result->has_errno) {
        t->verdict = CALL_BAD_LIST;
        add_range(r, INT64_MIN, -1);
    }
    t->has_errno = result->has_errno;
}

/* The number of the argument that a word means, by its number or its name. 0 = none. */
static u32
find_argument(const struct call_reader *r, struct call_span word)
{
    const struct call_type *t = r->type;
    u32 number = 0;

    for (u32 i = 0; i < t->arguments; i++)
        if (t->argument[i].len == word.len &&
            !memcmp(r->row + t->argument[i].at, r->row + word.at, word.len))
            return i + 1;
    for (u32 i = 0; i < word.len && i < 3; i++) {
        if (!callread_is_digit(r->row[word.at + i]))
            return 0;
        number = number * 10 + (u32)(r->row[word.at + i] - '0');
    }
    return number <= t->arguments ? number : 0;
}

/*
 * For each buf(LENGTH), find the value that is its length; it must be an argument that
 * is an integer.
 */
static void
find_lengths(struct call_reader *r)
{
    struct call_type *t = r->type;

    for (u32 i = 0; i < t->values && !r->wrong; i++) {
        u32 argument, k = 0;

        if (t->value[i].kind != CALL_BUF)
            continue;
        argument = find_argument(r, r->length[i]);
        while (k < t->before && t->value[k].argument != argument)
            k++;
        if (!argument || k == t->before || t->value[k].kind > CALL_UNSIGNED) {
            r->at = r->length[i].at;
            callread_fail(r, "no argument that is a number of bytes");
        }
        t->value[i].length = (unsigned char)k;
    }
}

static void
read_row(struct call_reader *r)
{
    struct call_type *t = r->type;
    struct call_row row;

    t->name = callread_word(r);
    if (!t->name.len || callread_is_digit(r->row[t->name.at]))
        callread_fail(r, "a function's name is missing");
    if (t->name.len > CALL_NAME_MAX)
        callread_fail(r, "too long a name");
    if (!r->wrong && callread_peek(r) == '\0') {
        t->words = CALL_UNKNOWN_WORDS;
        return;
    }
    callread_expect(r, '(', "'(' and the types of the arguments may follow a name");
    if (r->wrong)
        return;
    t->known = 1;
    memset(&row.result, 0, sizeof(row.result));
    read_arguments(r, &row);
    if (callread_accept(r, '-')) {
        callread_expect(r, '>', "'->' and the type of the result may stand here");
        if (!r->wrong)
            callread_type(r, &row.result, 0);
        if (!r->wrong && row.result.out)
            callread_fail(r, "out() is for arguments");
    }
    if (!r->wrong)
        read_verdict(r, &row.result);
    if (!r->wrong && callread_peek(r) != '\0')
        callread_fail(r, "nothing may follow");
    if (!r->wrong)
        callplace_all(r, &row);
    find_lengths(r);
}

const char *
calltype_parse(const char *row, u32 len, struct call_type *type, u32 *at)
{
    struct call_reader r = { .row = row, .len = len, .type = type };

    memset(type, 0, sizeof(*type));
    *at = 0;
    if (len > CALL_ROW_MAX)
        return "too long a row";
    read_row(&r);
    *at = r.at;
    return r.wrong;
}

int
calltype_next(const char *text, u64 size, u64 *at, u32 *line, struct call_span *row,
              const char **start)
{
    while (*at < size) {
        u64 begin = *at, end = begin, stop;

        while (end < size && text[end] != '\n')
            end++;
        *at = end + 1;
        ++*line;
        for (stop = begin; stop < end && text[stop] != '#';)
            stop++;
        while (begin < stop && (callread_is_blank(text[begin]) || text[begin] == '\r'))
            begin++;
        while (stop > begin &&
               (callread_is_blank(text[stop - 1]) || text[stop - 1] == '\r'))
            stop--;
        if (stop == begin)
            continue;
        *start = text + begin;
        row->at = 0;
        row->len = (unsigned short)(stop - begin < CALL_ROW_MAX + 1
                                        ? stop - begin
                                        : CALL_ROW_MAX + 1);
        return 1;
    }
    return 0;
}

/*
 * Functions whose calls cannot be recorded: they return twice, never return, change
 * stacks, check who called them, or rely on registers that recording changes.
 */
static const struct {
    const char *name;
    const char *why;
} refused[] = {
#define TWICE "it returns twice"
#define NEVER "it never returns"
#define CALLER "it looks at its caller"
#define CONTEXT "it changes stacks"
    { "setjmp", TWICE },          { "_setjmp", TWICE },
    { "__sigsetjmp", TWICE },     { "sigsetjmp", TWICE },
    { "__setjmp", TWICE },        { "savectx", TWICE },
    { "vfork", TWICE },           { "__vfork", TWICE },
    { "fork", TWICE },            { "_Fork", TWICE },
    { "__fork", TWICE },          { "clone", TWICE },
    { "__clone", TWICE },         { "clone3", TWICE },
    { "syscall", TWICE },         { "getcontext", TWICE },
    { "setcontext", CONTEXT },    { "swapcontext", CONTEXT },
    { "makecontext", CONTEXT },   { "longjmp", NEVER },
    { "_longjmp", NEVER },        { "siglongjmp", NEVER },
    { "__longjmp_chk", NEVER },   { "exit", NEVER },
    { "_exit", NEVER },           { "_Exit", NEVER },
    { "quick_exit", NEVER },      { "abort", NEVER },
    { "pthread_exit", NEVER },    { "thrd_exit", NEVER },
    { "__assert_fail", NEVER },   { "__stack_chk_fail", NEVER },
    { "__fortify_fail", NEVER },  { "__libc_start_main", NEVER },
    { "__cxa_throw", NEVER },     { "__cxa_rethrow", NEVER },
    { "dlopen", CALLER },         { "dlmopen", CALLER },
    { "dlsym", CALLER },          { "dlvsym", CALLER },
    { "dlclose", CALLER },        { "dladdr", CALLER },
    { "backtrace", CALLER },      { "__tls_get_addr", "it keeps all registers" },
    { "mcount", CALLER },         { "_mcount", CALLER },
    { "__fentry__", CALLER },     { "sigreturn", NEVER },
};

const char *
calltype_refused(const char *name, u32 len)
{
    for (u32 i = 0; i < ER_COUNT(refused); i++)
        if (strlen(refused[i].name) == len && !memcmp(refused[i].name, name, len))
            return refused[i].why;
    if (len > 8 && !memcmp(name, "_Unwind_", 8))
        return CALLER;
    if (len > 15 && !memcmp(name, "__cyg_profile_f", 15))
        return CALLER;
    return NULL;
}
