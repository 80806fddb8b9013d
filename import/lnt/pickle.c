/* SPDX-License-Identifier: Apache-2.0 */
#include "import/lnt/pickle.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "print/base/array.h"

enum {
    STACK_MARK = 0, /* a mark on the stack; no value has this number */
    NUMBER_TEXT = 64,
};

struct reader {
    struct import *im;
    struct pickle *p;
    struct bytes file;
    struct cursor c;
    u32 *stack;
    u32 depth, stack_room;
    u32 *memo; /* by memo index: a value that the pickle may refer to again */
    u32 nmemo, memo_room;
    bool stopped;
    bool wrong; /* an instruction is malformed or misplaced */
};

static void
push(struct reader *r, u32 value)
{
    if (array_room(&r->stack, &r->stack_room, r->depth + 1, sizeof(*r->stack)) < 0)
        r->im->failed = true;
    else
        r->stack[r->depth++] = value;
}

static void
push_new(struct reader *r, struct pickle_value value)
{
    struct pickle *p = r->p;

    if (array_room(&p->value, &p->values_room, p->nvalues + 1, sizeof(value)) < 0) {
        r->im->failed = true;
        return;
    }
    p->value[p->nvalues++] = value;
    push(r, p->nvalues);
}

/* Pops the last value; if there is none, returns 0 and sets `wrong`. */
static u32
pop(struct reader *r)
{
    u32 value = r->depth ? r->stack[--r->depth] : STACK_MARK;

    r->wrong |= value == STACK_MARK;
    return value;
}

static void
push_number(struct reader *r, double number)
{
    push_new(r, (struct pickle_value){ .kind = PICKLE_NUMBER, .number = number });
}

static void
push_text(struct reader *r, u64 len)
{
    struct pickle_value v = { .kind = PICKLE_TEXT, .len = (u32)len,
                              .text = (const char *)r->c.at };

    cursor_skip(&r->c, len);
    r->wrong |= len > UINT32_MAX;
    if (!r->c.bad && !r->wrong)
        push_new(r, v);
}

static void
add_item(struct reader *r, u32 list, u32 value)
{
    struct pickle *p = r->p;
    struct pickle_value *v;

    if (r->wrong || !list || !value)
        return;
    if (array_room(&p->item, &p->items_room, p->nitems + 1, sizeof(*p->item)) < 0) {
        r->im->failed = true;
        return;
    }
    p->item[p->nitems++] = (struct pickle_item){ value, 0 };
    v = &p->value[list - 1];
    if (v->last)
        p->item[v->last - 1].next = p->nitems;
    else
        v->first = p->nitems;
    v->last = p->nitems;
}

/* The index on the stack of the first value above the last mark. */
static u32
last_mark(struct reader *r)
{
    for (u32 i = r->depth; i > 0; i--)
        if (r->stack[i - 1] == STACK_MARK)
            return i;
    r->wrong = true;
    return r->depth;
}

/* Appends all values above the mark to `list`, and removes the mark. */
static void
add_marked(struct reader *r, u32 list, u32 from)
{
    for (u32 i = from; i < r->depth; i++)
        add_item(r, list, r->stack[i]);
    r->depth = from ? from - 1 : 0;
}

/* Makes a list or dictionary from the values above the mark. */
static void
make_marked(struct reader *r, enum pickle_kind kind)
{
    u32 from = last_mark(r), list;

    if (r->wrong)
        return;
    r->wrong |= kind == PICKLE_DICT && (r->depth - from) % 2;
    push_new(r, (struct pickle_value){ .kind = kind });
    if (r->im->failed)
        return;
    list = r->stack[--r->depth];
    add_marked(r, list, from);
    push(r, list);
}

/* Makes a tuple from the last `count` values. */
static void
make_tuple(struct reader *r, u32 count)
{
    u32 value[3] = { 0 }, list;

    for (u32 i = count; i > 0; i--)
        value[i - 1] = pop(r);
    push_new(r, (struct pickle_value){ .kind = PICKLE_LIST });
    if (r->wrong || r->im->failed)
        return;
    list = r->stack[r->depth - 1];
    for (u32 i = 0; i < count; i++)
        add_item(r, list, value[i]);
}

/* Appends the last `count` values to the list or dictionary below them. */
static void
extend(struct reader *r, enum pickle_kind kind, u32 count)
{
    u32 value[2] = { 0 }, list;

    for (u32 i = count; i > 0; i--)
        value[i - 1] = pop(r);
    list = r->depth ? r->stack[r->depth - 1] : 0;
    r->wrong |= !list || r->p->value[list - 1].kind != kind;
    for (u32 i = 0; i < count; i++)
        add_item(r, list, value[i]);
}

static void
extend_marked(struct reader *r, enum pickle_kind kind)
{
    u32 from = last_mark(r), list = from >= 2 ? r->stack[from - 2] : 0;

    r->wrong |= !list || r->p->value[list - 1].kind != kind ||
                (kind == PICKLE_DICT && (r->depth - from) % 2);
    if (!r->wrong)
        add_marked(r, list, from);
}

static void
remember(struct reader *r, u64 number)
{
    u32 value = r->depth ? r->stack[r->depth - 1] : 0;

    /* A pickle has no more memo entries than bytes. */
    r->wrong |= !value || number > r->file.size;
    if (r->wrong)
        return;
    if (array_room_zero(&r->memo, &r->memo_room, (u32)number + 1,
                        sizeof(*r->memo)) < 0) {
        r->im->failed = true;
        return;
    }
    r->memo[number] = value;
    if (number >= r->nmemo)
        r->nmemo = (u32)number + 1;
}

static void
recall(struct reader *r, u64 number)
{
    u32 value = number < r->nmemo ? r->memo[number] : 0;

    r->wrong |= !value;
    push(r, value);
}

/* Reads up to the end of the line; the newline is consumed, too. */
static struct bytes
read_line(struct reader *r)
{
    const unsigned char *at = r->c.at, *end = memchr(at, '\n', cursor_left(&r->c));

    if (!end) {
        r->c.bad = true;
        return (struct bytes){ at, 0 };
    }
    r->c.at = end + 1;
    return (struct bytes){ at, (size_t)(end - at) };
}

/*
 * Reads a number written in digits. "00" and "01" mean False and True; they become 0
 * and 1.
 */
static double
read_digits(struct reader *r)
{
    struct bytes line = read_line(r);
    char text[NUMBER_TEXT], *end;
    double number;

    r->wrong |= !line.size || line.size >= sizeof(text);
    if (r->wrong)
        return 0;
    memcpy(text, line.at, line.size);
    text[line.size] = '\0';
    number = strtod(text, &end);
    r->wrong |= end == text || (*end && strcmp(end, "L") != 0);
    return number;
}

/* Reads a memo index. */
static u32
read_index(struct reader *r)
{
    double number = read_digits(r);

    r->wrong |= !(number >= 0 && number <= INT32_MAX);
    return r->wrong ? 0 : (u32)number;
}

/* Reads a whole number of `size` bytes, two's complement. */
static double
read_long(struct reader *r, u64 size)
{
    struct cursor c = r->c;
    double number = 0, place = 1;
    u32 byte = 0;

    cursor_skip(&r->c, size);
    for (u64 i = 0; i < size && !r->c.bad; i++, place *= 256) {
        byte = cursor_u8(&c);
        number += byte * place;
    }
    return byte & 0x80 ? number - place : number;
}

static double
read_float(struct reader *r)
{
    struct cursor c = r->c;
    u64 bits;
    double number;

    c.big = true;
    bits = cursor_u64(&c);
    cursor_skip(&r->c, sizeof(bits));
    memcpy(&number, &bits, sizeof(number));
    return number;
}

static u32
digit(unsigned char c)
{
    return c >= '0' && c <= '9' ? c - '0' : (c | 0x20) >= 'a' && (c | 0x20) <= 'f'
                                                ? (c | 0x20) - 'a' + 10 : 16;
}

/*
 * Decodes the escape at *at, which follows a backslash, to `to`; moves *at past it.
 * Returns how many bytes were written.
 */
static size_t
unescape(const unsigned char **at, const unsigned char *end, char *to)
{
    static const char letters[] = "nrtabfv", stand[] = "\n\r\t\a\b\f\v";
    u32 c = *(*at)++, digits = c == 'x' ? 2 : c == 'u' ? 4 : 0, code = 0;
    const char *letter = c ? strchr(letters, (int)c) : NULL;

    if (letter) {
        *to = stand[letter - letters];
        return 1;
    }
    if (!digits) {
        *to = (char)c;
        return 1;
    }
    for (u32 i = 0; i < digits && *at < end && digit(**at) < 16; i++)
        code = code * 16 + digit(*(*at)++);
    if (code < 0x80 || c == 'x') {
        *to = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xc0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    to[0] = (char)(0xe0 | code >> 12);
    to[1] = (char)(0x80 | (code >> 6 & 0x3f));
    to[2] = (char)(0x80 | (code & 0x3f));
    return 3;
}

/*
 * Pushes a text in Python's notation: a quoted one is bytes; any other has \u escapes,
 * and each byte is a character.
 */
static void
push_escaped(struct reader *r, bool quoted)
{
    struct bytes line = read_line(r);
    const unsigned char *at = line.at, *end = at + line.size;
    struct pickle_value v = { .kind = PICKLE_TEXT };
    char *text;
    size_t len = 0;

    if (quoted) {
        r->wrong |= line.size < 2 || (*at != '\'' && *at != '"') || end[-1] != *at;
        if (r->wrong)
            return;
        at++;
        end--;
    }
    text = malloc(2 * line.size + 5);
    if (!text) {
        r->im->failed = true;
        return;
    }
    while (at < end) {
        if (*at == '\\' && at + 1 < end && (quoted || at[1] == 'u')) {
            at++;
            len += unescape(&at, end, text + len);
        } else if (quoted || *at < 0x80) {
            text[len++] = (char)*at++;
        } else {
            text[len++] = (char)(0xc0 | *at >> 6);
            text[len++] = (char)(0x80 | (*at++ & 0x3f));
        }
    }
    text[len] = '\0';
    v.text = import_text(r->im, text, len);
    v.len = (u32)strlen(v.text);
    push_new(r, v);
    free(text);
}

/* Executes an instruction that pushes text or a number. False: op is another one. */
static bool
run_push(struct reader *r, u32 op)
{
    struct cursor *c = &r->c;

    switch (op) {
    case 'U': case 'C': case 0x8c:
        return push_text(r, cursor_u8(c)), true;
    case 'T': case 'B': case 'X':
        return push_text(r, cursor_u32(c)), true;
    case 0x8d: case 0x8e:
        return push_text(r, cursor_u64(c)), true;
    case 'S': case 'V':
        return push_escaped(r, op == 'S'), true;
    case 'J':
        return push_number(r, (int32_t)cursor_u32(c)), true;
    case 'K':
        return push_number(r, cursor_u8(c)), true;
    case 'M':
        return push_number(r, cursor_u16(c)), true;
    case 'I': case 'L': case 'F':
        return push_number(r, read_digits(r)), true;
    case 'G':
        return push_number(r, read_float(r)), true;
    case 0x8a:
        return push_number(r, read_long(r, cursor_u8(c))), true;
    case 0x8b:
        return push_number(r, read_long(r, cursor_u32(c))), true;
    case 0x88: case 0x89:
        return push_number(r, op == 0x88), true;
    case 'N':
        return push_new(r, (struct pickle_value){ .kind = PICKLE_NONE }), true;
    }
    return false;
}

/* Executes an instruction for lists and dictionaries. False: op is another one. */
static bool
run_items(struct reader *r, u32 op)
{
    switch (op) {
    case '(':
        return push(r, STACK_MARK), true;
    case '}': case ']': case ')':
        return push_new(r, (struct pickle_value){
                               .kind = op == '}' ? PICKLE_DICT : PICKLE_LIST }), true;
    case 'd':
        return make_marked(r, PICKLE_DICT), true;
    case 'l': case 't':
        return make_marked(r, PICKLE_LIST), true;
    case 0x85: case 0x86: case 0x87:
        return make_tuple(r, op - 0x84), true;
    case 'a':
        return extend(r, PICKLE_LIST, 1), true;
    case 's':
        return extend(r, PICKLE_DICT, 2), true;
    case 'e':
        return extend_marked(r, PICKLE_LIST), true;
    case 'u':
        return extend_marked(r, PICKLE_DICT), true;
    }
    return false;
}

/*
 * Executes an instruction for the memo, or one that pops a value, ends the pickle or
 * only describes it. False: op is another one.
 */
static bool
run_memo(struct reader *r, u32 op)
{
    switch (op) {
    case 0x80: /* version; its instructions can be read without knowing it */
        return cursor_u8(&r->c), true;
    case 0x95: /* length of a frame, a part of the pickle: not needed */
        return cursor_u64(&r->c), true;
    case 'p':
        return remember(r, read_index(r)), true;
    case 'q':
        return remember(r, cursor_u8(&r->c)), true;
    case 'r':
        return remember(r, cursor_u32(&r->c)), true;
    case 0x94:
        return remember(r, r->nmemo), true;
    case 'g':
        return recall(r, read_index(r)), true;
    case 'h':
        return recall(r, cursor_u8(&r->c)), true;
    case 'j':
        return recall(r, cursor_u32(&r->c)), true;
    case '0':
        return (void)pop(r), true;
    case '.':
        r->p->root = pop(r);
        return r->stopped = true;
    }
    return false;
}

static int
run(struct reader *r)
{
    while (!r->stopped) {
        size_t at = (size_t)(r->c.at - r->file.at);
        u32 op = cursor_u8(&r->c);

        if (!r->c.bad && !run_push(r, op) && !run_items(r, op) && !run_memo(r, op))
            return import_fail(r->im, "it is a pickle of Python with more than data: "
                               "its instruction 0x%02x at %zu is refused", op, at);
        if (r->im->failed)
            return -ENOMEM;
        if (r->c.bad)
            return import_fail(r->im, "it is a pickle of Python that ends too soon");
        if (r->wrong)
            return import_fail(r->im, "it is a pickle of Python with an instruction "
                               "0x%02x at %zu that makes no sense", op, at);
    }
    return 0;
}

int
pickle_read(struct import *im, struct bytes file, struct pickle *out)
{
    struct reader r = { .im = im, .p = out, .file = file,
                        .c = cursor_at(file, 0, false) };
    int ret;

    *out = (struct pickle){ .root = 0 };
    ret = run(&r);
    free(r.stack);
    free(r.memo);
    return ret;
}

void
pickle_free(struct pickle *p)
{
    free(p->value);
    free(p->item);
    *p = (struct pickle){ .root = 0 };
}

const struct pickle_value *
pickle_at(const struct pickle *p, u32 item)
{
    static const struct pickle_value none = { .kind = PICKLE_NONE };

    return item ? &p->value[p->item[item - 1].value - 1] : &none;
}

u32
pickle_first(const struct pickle *p, u32 value, enum pickle_kind kind)
{
    return value && p->value[value - 1].kind == kind && kind >= PICKLE_LIST
               ? p->value[value - 1].first : 0;
}

u32
pickle_get(const struct pickle *p, u32 dict, const char *key, enum pickle_kind kind)
{
    u32 found = 0;

    for (u32 i = pickle_first(p, dict, PICKLE_DICT); i;) {
        const struct pickle_value *k = pickle_at(p, i);
        u32 value = pickle_next(p, i);

        /* If a key occurs several times, the last value counts. */
        if (k->kind == PICKLE_TEXT && k->len == strlen(key) &&
            !memcmp(k->text, key, k->len))
            found = value;
        i = value ? pickle_next(p, value) : 0;
    }
    if (!found || pickle_at(p, found)->kind != (u32)kind)
        return 0;
    return p->item[found - 1].value;
}
