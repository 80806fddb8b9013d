/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the format of callgrind, which cachegrind and er_export write, too: it says how
 * much each line of each function spends itself and in calls.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "import/callgraph.h"
#include "import/kinds.h"
#include "import/names.h"
#include "print/base/array.h"

enum {
    KINDS = 32, /* events that a cost line may have */
    POSITIONS = 2,
};

/* A table that maps numbers in the file to texts. */
struct numbers {
    u64 (*row)[2]; /* number, text */
    u32 count, room;
    struct hash hash;
};

enum name_space {
    SPACE_OBJECT,
    SPACE_FILE,
    SPACE_FUNCTION,
    SPACES,
};

struct callgrind {
    struct import *im;
    struct callgraph graph; /* its nkinds is 0 until an "events:" line was read */
    struct numbers names[SPACES];
    struct numbers funcs; /* maps numbers of functions to functions of names.h */
    bool counting;   /* second pass: costs are read; all functions are known */
    struct import_kind kind[KINDS];
    u32 nkinds;
    struct import_kind told[KINDS]; /* names and units from "event:" lines */
    u32 ntold;
    u64 size;        /* bytes of the file */
    u32 npositions;
    u32 line_at;     /* index in `position` of the line number; POSITIONS = none */
    u64 position[POSITIONS]; /* positions of the previous cost line */
    u32 object, file, line_file; /* texts: where the function is, and the file of its
                                    current lines */
    u32 called_object, called_file, called;
    u64 name_number; /* 1 + the number of the name read last, 0 = it had none */
    u64 called_number; /* 1 + the number of the called function's name, 0 = none */
    bool has_called_object, has_called_file, in_call;
    u32 func;        /* the current function, of names.h; 0 = none yet */
    u64 number;      /* number of the current line of the file */
    struct import_hit hit;
};

/* The unread rest of a line. */
struct text {
    const char *at, *end;
};

struct number_key {
    const struct numbers *numbers;
    u64 number;
};

static bool
same_number(const void *context, u32 index)
{
    const struct number_key *key = context;

    return key->numbers->row[index][0] == key->number;
}

static u64 *
find_number(struct numbers *n, u64 number)
{
    struct number_key key = { n, number };
    u32 at = hash_find(&n->hash, (u32)hash_mix(number), same_number, &key);

    return at == HASH_NONE ? NULL : n->row[at];
}

/* The row of a number, which is added if it is new; NULL: no memory. */
static u64 *
row_of(struct numbers *n, u64 number)
{
    u64 *row = find_number(n, number);

    if (row)
        return row;
    if (array_room(&n->row, &n->room, n->count + 1, sizeof(*n->row)) < 0 ||
        hash_add(&n->hash, (u32)hash_mix(number), n->count) < 0)
        return NULL;
    row = n->row[n->count++];
    row[0] = number;
    row[1] = 0;
    return row;
}

/*
 * Reads a name: "name", "(12) name", which gives it the number 12, or "(12)". Returns a
 * text of names.h.
 */
static u32
read_name(struct callgrind *c, enum name_space space, struct text t)
{
    u64 number, *row;
    char *rest;

    c->name_number = 0;
    if (t.end - t.at < 3 || *t.at != '(' || (unsigned)(t.at[1] - '0') > 9)
        return names_text(c->im, t.at, (size_t)(t.end - t.at));
    number = strtoull(t.at + 1, &rest, 10);
    if (rest >= t.end || *rest != ')' || number >> 62)
        return names_text(c->im, t.at, (size_t)(t.end - t.at));
    c->name_number = number + 1;
    row = row_of(&c->names[space], number);
    if (!row) {
        c->im->failed = true;
        return 0;
    }
    for (t.at = rest + 1; t.at < t.end && *t.at == ' '; t.at++)
        ;
    if (t.at < t.end)
        row[1] = names_text(c->im, t.at, (size_t)(t.end - t.at));
    return (u32)row[1];
}

/* The text; or 0 if it is "???", which means that the name is not known. */
static u32
known(const struct callgrind *c, u32 text)
{
    return strcmp(names_text_of(c->im, text), "???") ? text : 0;
}

static bool
begins(struct text *t, const char *word)
{
    size_t len = strlen(word);

    if ((size_t)(t->end - t->at) < len || memcmp(t->at, word, len) != 0)
        return false;
    t->at += len;
    return true;
}

/* Get the next word; false: there is none. */
static bool
next_word(struct text *t, struct text *word)
{
    while (t->at < t->end && (*t->at == ' ' || *t->at == '\t'))
        t->at++;
    word->at = t->at;
    while (t->at < t->end && *t->at != ' ' && *t->at != '\t')
        t->at++;
    word->end = t->at;
    return word->at < word->end;
}

static bool
read_number(struct text word, u64 *out)
{
    char *rest;

    if ((unsigned)(*word.at - '0') > 9)
        return false;
    *out = strtoull(word.at, &rest, begins(&word, "0x") ? 16 : 10);
    return rest == word.end;
}

/* Reads "event: NAME : TITLE (UNIT)"; TITLE and UNIT may be missing. */
static void
read_event(struct callgrind *c, struct text t)
{
    struct text word;

    if (c->ntold == KINDS || !next_word(&t, &word))
        return;
    c->told[c->ntold].name = import_text(c->im, word.at, (size_t)(word.end - word.at));
    c->told[c->ntold].unit = "";
    if (t.at < t.end && t.end[-1] == ')') {
        const char *open = memrchr(t.at, '(', (size_t)(t.end - t.at));

        if (open)
            c->told[c->ntold].unit =
                import_text(c->im, open + 1, (size_t)(t.end - open) - 2);
    }
    c->ntold++;
}

/*
 * Reads an "events:" line, which names the values of cost lines. Later parts of a file
 * repeat it: only the first one counts.
 */
static void
read_events(struct callgrind *c, struct text t)
{
    struct text word;

    while (!c->graph.nkinds && c->nkinds < KINDS && next_word(&t, &word)) {
        struct import_kind *kind = &c->kind[c->nkinds++];

        kind->name = import_text(c->im, word.at, (size_t)(word.end - word.at));
        kind->unit = "";
        for (u32 i = 0; i < c->ntold; i++)
            if (!strcmp(c->told[i].name, kind->name))
                kind->unit = c->told[i].unit;
    }
    if (c->graph.nkinds || !c->nkinds)
        return;
    if (next_word(&t, &word))
        import_add_note(c->im, "events behind the first %d are left out", KINDS);
    kinds_settle(c->im, c->kind, c->nkinds);
    callgraph_open(&c->graph, c->im, c->nkinds, c->size);
}

static void
read_positions(struct callgrind *c, struct text t)
{
    struct text word;

    c->npositions = 0;
    c->line_at = POSITIONS;
    while (c->npositions < POSITIONS && next_word(&t, &word)) {
        if (begins(&word, "line"))
            c->line_at = c->npositions;
        c->npositions++;
    }
}

static u32
make_func(struct callgrind *c, u32 object, u32 file, u32 name)
{
    struct names_func func = { known(c, object), name, known(c, file), 0 };

    return name ? names_func(c->im, &func) : 0;
}

/*
 * Begins a function. A function's number means the same function in the whole file,
 * even if valgrind names another source file at a call of it.
 */
static void
begin_function(struct callgrind *c, struct text t)
{
    u32 name = read_name(c, SPACE_FUNCTION, t);
    u64 *row = c->name_number ? row_of(&c->funcs, c->name_number) : NULL;

    c->line_file = c->file;
    if (row && row[1]) {
        c->func = (u32)row[1];
    } else {
        c->func = make_func(c, c->object, c->file, name);
        if (row)
            row[1] = c->func;
    }
    /*
     * er_export gives this name to the caller of functions that have no other caller.
     */
    if (!strcmp(names_text_of(c->im, name), "<Total>"))
        c->graph.root = c->func;
}

static u32
called_function(struct callgrind *c)
{
    u64 *row = c->called_number ? find_number(&c->funcs, c->called_number) : NULL;

    if (row && row[1])
        return (u32)row[1];
    return make_func(c, c->has_called_object ? c->called_object : c->object,
                     c->has_called_file ? c->called_file : c->file, c->called);
}

/* Reads a line that names a function, file or object; false: it is another line. */
static bool
read_named(struct callgrind *c, struct text t)
{
    if (begins(&t, "fn=")) {
        begin_function(c, t);
    } else if (begins(&t, "fl=")) {
        c->file = c->line_file = read_name(c, SPACE_FILE, t);
    } else if (begins(&t, "fi=") || begins(&t, "fe=")) {
        c->line_file = read_name(c, SPACE_FILE, t);
    } else if (begins(&t, "ob=")) {
        c->object = read_name(c, SPACE_OBJECT, t);
    } else if (begins(&t, "cfn=")) {
        c->called = read_name(c, SPACE_FUNCTION, t);
        c->called_number = c->name_number;
    } else if (begins(&t, "cfi=") || begins(&t, "cfl=")) {
        c->called_file = read_name(c, SPACE_FILE, t);
        c->has_called_file = true;
    } else if (begins(&t, "cob=")) {
        c->called_object = read_name(c, SPACE_OBJECT, t);
        c->has_called_object = true;
    } else if (begins(&t, "calls=")) {
        c->in_call = true;
    } else {
        return false;
    }
    return true;
}

/*
 * Reads a position: a number, an increment or decrement, or "*" for the same as before.
 */
static bool
read_position(struct callgrind *c, u32 i, struct text word)
{
    u64 number;

    if (*word.at == '*')
        return word.end == word.at + 1;
    if (*word.at == '+' || *word.at == '-') {
        bool minus = *word.at++ == '-';

        if (word.at == word.end || !read_number(word, &number))
            return false;
        c->position[i] += minus ? -number : number;
        return true;
    }
    return read_number(word, &c->position[i]);
}

static int
read_cost(struct callgrind *c, struct text t)
{
    struct callgraph_cost cost = { .func = c->func };
    struct names_place place = { .func = c->func, .file = known(c, c->line_file) };
    u64 value[KINDS] = { 0 };
    struct text word;
    bool good = true;

    for (u32 i = 0; i < c->npositions && good; i++)
        good = next_word(&t, &word) && read_position(c, i, word);
    for (u32 i = 0; good && next_word(&t, &word); i++) {
        u64 number;

        good = read_number(word, &number);
        if (i < c->nkinds)
            value[i] = number >> 62 ? 0 : number;
    }
    if (!good || !c->func)
        return import_fail(c->im, "line %llu is no line of costs",
                           (unsigned long long)c->number);
    if (c->line_at < POSITIONS && c->position[c->line_at] < UINT32_MAX)
        place.line = (u32)c->position[c->line_at];
    cost.place = names_place(c->im, &place);
    if (c->in_call) {
        cost.callee = called_function(c);
        c->in_call = c->has_called_object = c->has_called_file = false;
        if (!cost.callee)
            return import_fail(c->im, "line %llu is of a call of no function",
                               (unsigned long long)c->number);
    }
    callgraph_add(&c->graph, &cost, value);
    return c->im->failed ? -ENOMEM : 0;
}

/* Reads a line at the head of the file or of one of its parts. */
static int
read_head(struct callgrind *c, struct text t)
{
    struct import_process *p = &c->im->process[c->hit.process - 1];
    struct text word;
    u64 number;

    while (t.end > t.at && t.end[-1] == ' ')
        t.end--;
    if (begins(&t, "events:")) {
        read_events(c, t);
    } else if (begins(&t, "event:")) {
        read_event(c, t);
    } else if (begins(&t, "positions:")) {
        read_positions(c, t);
    } else if (begins(&t, "creator: ")) {
        c->im->tool = import_text(c->im, t.at, (size_t)(t.end - t.at));
    } else if (begins(&t, "cmd:")) {
        if (next_word(&t, &word))
            p->name = import_text(c->im, word.at, (size_t)(word.end - word.at));
    } else if (begins(&t, "pid:")) {
        if (next_word(&t, &word) && read_number(word, &number) && number < UINT32_MAX)
            p->pid = (u32)number;
    } else if (!c->graph.nkinds && !memchr(t.at, ':', (size_t)(t.end - t.at))) {
        return -ENOEXEC;
    }
    /* Ignore summaries, jumps, and lines that newer versions write. */
    return 0;
}

static int
read_line(struct callgrind *c, struct text t)
{
    if (t.end > t.at && t.end[-1] == '\r')
        t.end--;
    while (t.at < t.end && (*t.at == ' ' || *t.at == '\t'))
        t.at++;
    if (t.at == t.end || *t.at == '#')
        return 0;
    if (memchr(t.at, '\0', (size_t)(t.end - t.at)))
        return c->graph.nkinds ? import_fail(c->im, "line %llu is no text",
                                             (unsigned long long)c->number)
                               : -ENOEXEC;
    if (c->graph.nkinds && (strchr("+-*", *t.at) || (unsigned)(*t.at - '0') <= 9))
        return c->counting ? read_cost(c, t) : 0;
    if (read_named(c, t))
        return c->graph.nkinds ? 0 : -ENOEXEC;
    return read_head(c, t);
}

/* Is the first line that is not empty one of callgrind's? */
static bool
is_callgrind(struct bytes file)
{
    static const char *const words[] = {
        "# callgrind format", "version:", "creator:", "desc:", "cmd:", "pid:",
        "positions:", "events:", "event:",
    };
    struct text t = { (const char *)file.at, (const char *)file.at + file.size };

    while (t.at < t.end && strchr(" \t\r\n", *t.at) && *t.at)
        t.at++;
    for (u32 i = 0; i < ER_COUNT(words); i++)
        if (begins(&t, words[i]))
            return true;
    return false;
}

static int
read_lines(struct callgrind *c, struct bytes file)
{
    const char *at = (const char *)file.at, *end = at + file.size;
    int ret = 0;

    c->number = 0;
    while (at < end && ret == 0) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct text t = { at, newline };

        /* strtoull() needs a byte after a number: copy a last line without newline. */
        if (!newline) {
            t.at = import_text(c->im, at, (size_t)(end - at));
            t.end = t.at + strlen(t.at);
        }
        c->number++;
        ret = read_line(c, t);
        at = newline ? newline + 1 : end;
    }
    return ret == 0 && !c->graph.nkinds ? -ENOEXEC : ret;
}

static int
read_all(struct callgrind *c, struct bytes file)
{
    int ret;

    c->hit.time = 1;
    c->hit.process = import_process(c->im, 0, 0, 1);
    c->hit.thread = c->hit.process ? import_thread(c->im, c->hit.process, 0, 1) : 0;
    if (!c->hit.thread)
        return -ENOMEM;
    c->im->process[c->hit.process - 1].name = c->im->file;
    ret = read_lines(c, file);
    if (ret < 0)
        return ret;
    c->counting = true;
    c->object = c->file = c->line_file = c->func = 0;
    c->in_call = c->has_called_object = c->has_called_file = false;
    memset(c->position, 0, sizeof(c->position));
    ret = read_lines(c, file);
    if (ret == 0)
        ret = callgraph_settle(&c->graph, c->kind, &c->hit);
    return ret == 0 ? names_settle(c->im) : ret;
}

static void
free_numbers(struct numbers *n)
{
    free(n->row);
    hash_free(&n->hash);
}

int
import_callgrind(struct import *im, struct bytes file)
{
    struct callgrind *c;
    int ret;

    if (!is_callgrind(file))
        return -ENOEXEC;
    c = calloc(1, sizeof(*c));
    if (!c)
        return -ENOMEM;
    c->im = im;
    c->size = file.size;
    c->npositions = 1;
    ret = read_all(c, file);
    callgraph_close(&c->graph);
    for (u32 i = 0; i < SPACES; i++)
        free_numbers(&c->names[i]);
    free_numbers(&c->funcs);
    free(c);
    return ret;
}
