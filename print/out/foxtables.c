/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/foxtables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/function.h"

/*
 * Columns of the tables: COLUMN(number, name, base). name is the column's name in the
 * profile; NULL: put_columns() does not write it. base is subtracted from values when
 * they are written: it is 1 if a column refers to a row that may be missing, since the
 * values are then the row's number + 1, or 0 = null.
 */
#define STACK_COLUMNS(COLUMN)              \
    COLUMN(STACK_PREFIX, "prefix", 1)      \
    COLUMN(STACK_FRAME, "frame", 0)
#define FRAME_COLUMNS(COLUMN)              \
    COLUMN(FRAME_FUNC, "func", 0)          \
    COLUMN(FRAME_LINE, "line", 1)          \
    COLUMN(FRAME_LOW, NULL, 0)             \
    COLUMN(FRAME_HIGH, NULL, 0)            \
    COLUMN(FRAME_DEPTH, "inlineDepth", 0)  \
    COLUMN(FRAME_CATEGORY, "category", 0)  \
    COLUMN(FRAME_SYMBOL, "nativeSymbol", 1)
#define FUNC_COLUMNS(COLUMN)               \
    COLUMN(FUNC_ID, NULL, 0)               \
    COLUMN(FUNC_NAME, "name", 0)           \
    COLUMN(FUNC_RESOURCE, NULL, 0)         \
    COLUMN(FUNC_FILE, NULL, 0)             \
    COLUMN(FUNC_FILE_NAME, "fileName", 1)
#define SYMBOL_COLUMNS(COLUMN)             \
    COLUMN(SYMBOL_FUNCTION, NULL, 0)       \
    COLUMN(SYMBOL_NAME, "name", 0)         \
    COLUMN(SYMBOL_LIB, "libIndex", 0)
#define RESOURCE_COLUMNS(COLUMN)           \
    COLUMN(RESOURCE_OBJECT, NULL, 0)       \
    COLUMN(RESOURCE_NAME, "name", 0)       \
    COLUMN(RESOURCE_LIB, "lib", 0)

struct column {
    const char *name;
    u32 base;
};

#define NUMBER(number, name, base) number,
#define DESCRIPTION(number, name, base) { name, base },
enum { STACK_COLUMNS(NUMBER) STACK_WIDTH };
enum { FRAME_COLUMNS(NUMBER) FRAME_WIDTH };
enum { FUNC_COLUMNS(NUMBER) FUNC_WIDTH };
enum { SYMBOL_COLUMNS(NUMBER) SYMBOL_WIDTH };
enum { RESOURCE_COLUMNS(NUMBER) RESOURCE_WIDTH };
static const struct column stack_columns[] = { STACK_COLUMNS(DESCRIPTION) };
static const struct column frame_columns[] = { FRAME_COLUMNS(DESCRIPTION) };
static const struct column func_columns[] = { FUNC_COLUMNS(DESCRIPTION) };
static const struct column symbol_columns[] = { SYMBOL_COLUMNS(DESCRIPTION) };
static const struct column resource_columns[] = { RESOURCE_COLUMNS(DESCRIPTION) };

enum { KNOWN_NODE, KNOWN_KERNEL, KNOWN_STACK, KNOWN_WIDTH };

/* The type of a resource that is a load object. */
#define RESOURCE_LIBRARY "1"

struct row_key {
    const struct foxrows *rows;
    const u32 *cell;
};

static bool
same_row(const void *key, u32 index)
{
    const struct row_key *k = key;
    const struct foxrows *rows = k->rows;

    return !memcmp(rows->cell + (size_t)index * rows->width, k->cell,
                   rows->keys * sizeof(*k->cell));
}

static u32
find_row(const struct foxrows *rows, const u32 *cell)
{
    struct row_key key = { rows, cell };

    return hash_find(&rows->hash, (u32)hash_bytes(0, cell, rows->keys * sizeof(*cell)),
                     same_row, &key);
}

/* Add a row, which must be new. */
static int
add_row(struct foxrows *rows, const u32 *cell, u32 *number)
{
    size_t size = rows->width * sizeof(*cell);
    int ret = array_room(&rows->cell, &rows->room, rows->count + 1, size);

    if (ret == 0)
        ret = hash_add(&rows->hash,
                       (u32)hash_bytes(0, cell, rows->keys * sizeof(*cell)),
                       rows->count);
    if (ret < 0)
        return ret;
    memcpy(rows->cell + (size_t)rows->count * rows->width, cell, size);
    *number = rows->count++;
    return 0;
}

static int
intern_row(struct foxrows *rows, const u32 *cell, u32 *number)
{
    *number = find_row(rows, cell);
    return *number == HASH_NONE ? add_row(rows, cell, number) : 0;
}

void
foxtables_free(struct foxrows *rows)
{
    hash_free(&rows->hash);
    free(rows->cell);
    memset(rows, 0, sizeof(*rows));
}

void
foxtables_libs(struct foxrows *libs)
{
    *libs = (struct foxrows){ .width = 1, .keys = 1 };
}

void
foxtables_open(struct foxtables *t, const struct stackset *set, struct foxrows *libs)
{
    *t = (struct foxtables){
        .set = set, .libs = libs,
        .stacks = { .width = STACK_WIDTH, .keys = STACK_WIDTH },
        .frames = { .width = FRAME_WIDTH, .keys = FRAME_WIDTH },
        .funcs = { .width = FUNC_WIDTH, .keys = 1 },
        .symbols = { .width = SYMBOL_WIDTH, .keys = 1 },
        .resources = { .width = RESOURCE_WIDTH, .keys = 1 },
        .known = { .width = KNOWN_WIDTH, .keys = 2 },
    };
}

void
foxtables_close(struct foxtables *t)
{
    foxtables_free(&t->stacks);
    foxtables_free(&t->frames);
    foxtables_free(&t->funcs);
    foxtables_free(&t->symbols);
    foxtables_free(&t->resources);
    foxtables_free(&t->known);
    hash_free(&t->string_hash);
    free(t->string);
    free(t->chain);
    memset(t, 0, sizeof(*t));
}

struct string_key {
    const struct foxtables *tables;
    const char *text;
};

static bool
same_string(const void *key, u32 index)
{
    const struct string_key *k = key;

    return !strcmp(k->tables->string[index], k->text);
}

int
foxtables_string(struct foxtables *t, const char *text, u32 *number)
{
    struct string_key key = { t, text };
    u32 value = (u32)hash_str(0, text);
    int ret;

    *number = hash_find(&t->string_hash, value, same_string, &key);
    if (*number != HASH_NONE)
        return 0;
    ret = array_room(&t->string, &t->string_room, t->nstrings + 1, sizeof(*t->string));
    if (ret == 0)
        ret = hash_add(&t->string_hash, value, t->nstrings);
    if (ret < 0)
        return ret;
    *number = t->nstrings;
    t->string[t->nstrings++] = text;
    return 0;
}

static enum foxcategory
category_of(struct session *session, u32 object)
{
    struct object_info info;
    const char *so;

    if (!object)
        return FOX_OTHER;
    object_get(session, object, &info);
    if (info.collector)
        return FOX_OTHER;
    if (!strncmp(info.name, "[kernel", 7))
        return FOX_KERNEL;
    so = strstr(info.name, ".so");
    return (so && (!so[3] || so[3] == '.')) || info.name[0] == '[' ? FOX_LIBRARY
                                                                   : FOX_USER;
}

/* Get the row of a load object, + 1; 0 = no object. */
static int
resource_of(struct foxtables *t, u32 object, u32 *resource)
{
    u32 cell[RESOURCE_WIDTH] = { object }, number = find_row(&t->resources, cell);
    struct object_info info;
    int ret = 0;

    *resource = 0;
    if (!object)
        return 0;
    if (number == HASH_NONE) {
        object_get(t->set->session, object, &info);
        ret = foxtables_string(t, info.name, &cell[RESOURCE_NAME]);
        if (ret == 0)
            ret = intern_row(t->libs, &object, &cell[RESOURCE_LIB]);
        if (ret == 0)
            ret = add_row(&t->resources, cell, &number);
    }
    *resource = number + 1;
    return ret;
}

/*
 * Get the row of a function. `file`: that of one of its frames, used if the function's
 * own file is not known.
 */
static int
func_of(struct foxtables *t, u32 function, u32 file, u32 *func)
{
    u32 cell[FUNC_WIDTH] = { function };
    struct function_info info;
    int ret = 0;

    *func = find_row(&t->funcs, cell);
    if (*func != HASH_NONE)
        return 0;
    function_get(t->set->session, function, &info);
    cell[FUNC_FILE] = info.file ? info.file : file;
    if (cell[FUNC_FILE]) {
        ret = foxtables_string(t, file_path(t->set->session, cell[FUNC_FILE]),
                               &cell[FUNC_FILE_NAME]);
        cell[FUNC_FILE_NAME]++;
    }
    if (ret == 0)
        ret = foxtables_string(t, t->set->name.text[function], &cell[FUNC_NAME]);
    if (ret == 0)
        ret = resource_of(t, info.object, &cell[FUNC_RESOURCE]);
    return ret < 0 ? ret : add_row(&t->funcs, cell, func);
}

/* Get the row of a function's symbol, + 1; 0 = it has no code of its own. */
static int
symbol_of(struct foxtables *t, u32 function, u32 *symbol)
{
    u32 cell[SYMBOL_WIDTH] = { function }, number = find_row(&t->symbols, cell);
    struct function_info info;
    int ret = 0;

    *symbol = 0;
    function_get(t->set->session, function, &info);
    if (!info.addr || !info.object)
        return 0;
    if (number == HASH_NONE) {
        ret = foxtables_string(t, t->set->name.text[function], &cell[SYMBOL_NAME]);
        if (ret == 0)
            ret = intern_row(t->libs, &info.object, &cell[SYMBOL_LIB]);
        if (ret == 0)
            ret = add_row(&t->symbols, cell, &number);
    }
    *symbol = number + 1;
    return ret;
}

/*
 * Get a frame of a location. `kernel`: the thread was in the kernel, called from this
 * frame.
 */
static int
frame_of(struct foxtables *t, const struct location *l, u32 depth, bool kernel,
         u32 *number)
{
    struct session *session = t->set->session;
    struct site_frame frame = stackset_frame(t->set, l, depth);
    u32 cell[FRAME_WIDTH] = { 0 };
    struct function_info info;
    int ret = func_of(t, frame.func, frame.file, &cell[FRAME_FUNC]);

    if (ret == 0 && l->addr)
        ret = symbol_of(t, stackset_frame(t->set, l, 0).func, &cell[FRAME_SYMBOL]);
    if (ret < 0)
        return ret;
    function_get(session, frame.func, &info);
    /*
     * A line in another file than the function's (from an #include) would be shown as a
     * line of the function's file: leave it out.
     */
    if (frame.line &&
        frame.file == t->funcs.cell[(size_t)cell[FRAME_FUNC] * FUNC_WIDTH + FUNC_FILE])
        cell[FRAME_LINE] = frame.line + 1;
    cell[FRAME_LOW] = (u32)l->addr;
    cell[FRAME_HIGH] = (u32)(l->addr >> 32);
    cell[FRAME_DEPTH] = depth;
    cell[FRAME_CATEGORY] = kernel ? FOX_KERNEL : category_of(session, info.object);
    return intern_row(&t->frames, cell, number);
}

/*
 * Add the frames of a node, called from the stack with the number *stack - 1 (0 = there
 * is none), and update *stack.
 */
static int
add_node(struct foxtables *t, u32 node, bool kernel, u32 *stack)
{
    const struct location *l = &t->set->location[t->set->of_node[node]];
    u32 known[KNOWN_WIDTH] = { node, kernel }, number;
    int ret = 0;

    for (u32 i = 0; i < l->depth && ret == 0; i++) {
        u32 cell[STACK_WIDTH] = { *stack };

        ret = frame_of(t, l, i, kernel && i + 1 == l->depth, &cell[STACK_FRAME]);
        if (ret == 0)
            ret = intern_row(&t->stacks, cell, &number);
        if (ret == 0)
            *stack = number + 1;
    }
    known[KNOWN_STACK] = *stack;
    return ret < 0 ? ret : add_row(&t->known, known, &number);
}

int
foxtables_stack(struct foxtables *t, u32 node, bool kernel, int64_t *stack)
{
    u32 count = 0, last = 0;
    int ret = 0;

    for (node = stackset_top(t->set, node); node;
         node = stackset_caller(t->set, node)) {
        u32 cell[2] = { node, kernel && !count }, row = find_row(&t->known, cell);

        if (row != HASH_NONE) {
            last = t->known.cell[(size_t)row * KNOWN_WIDTH + KNOWN_STACK];
            break;
        }
        ret = array_room(&t->chain, &t->chain_room, count + 1, sizeof(*t->chain));
        if (ret < 0)
            return ret;
        t->chain[count++] = node;
    }
    while (count && ret == 0) {
        count--;
        ret = add_node(t, t->chain[count], kernel && !count, &last);
    }
    *stack = (int64_t)last - 1;
    return ret;
}

/* Write a column: its values minus `base`; negative ones become null. */
static void
put_column(const char *name, const struct foxrows *rows, u32 column, u32 base, FILE *f)
{
    fprintf(f, ",\n\"%s\":[", name);
    for (u32 i = 0; i < rows->count; i++) {
        u32 value = rows->cell[(size_t)i * rows->width + column];

        fputs(i ? "," : "", f);
        if (value < base)
            fputs("null", f);
        else
            fprintf(f, "%u", value - base);
    }
    putc(']', f);
}

/* Write the columns that have a name. */
static void
put_columns(const struct column *columns, const struct foxrows *rows, FILE *f)
{
    for (u32 i = 0; i < rows->width; i++)
        if (columns[i].name)
            put_column(columns[i].name, rows, i, columns[i].base, f);
}

/* Write a column that has the same value in all rows. */
static void
put_same(const char *name, const struct foxrows *rows, const char *value, FILE *f)
{
    fprintf(f, ",\n\"%s\":[", name);
    for (u32 i = 0; i < rows->count; i++)
        fprintf(f, "%s%s", i ? "," : "", value);
    putc(']', f);
}

static void
begin_table(const char *name, const struct foxrows *rows, FILE *f)
{
    fprintf(f, ",\n\"%s\":{\"length\":%u", name, rows->count);
}

static void
write_stacks(const struct foxtables *t, FILE *f)
{
    const struct foxrows *stacks = &t->stacks;

    begin_table("stackTable", stacks, f);
    put_columns(stack_columns, stacks, f);
    put_same("subcategory", stacks, "0", f);
    fputs(",\n\"category\":[", f);
    for (u32 i = 0; i < stacks->count; i++) {
        size_t frame = stacks->cell[(size_t)i * STACK_WIDTH + STACK_FRAME];

        fprintf(f, "%s%u", i ? "," : "",
                t->frames.cell[frame * FRAME_WIDTH + FRAME_CATEGORY]);
    }
    fputs("]}", f);
}

static void
write_frames(const struct foxtables *t, FILE *f)
{
    const struct foxrows *frames = &t->frames;

    begin_table("frameTable", frames, f);
    put_columns(frame_columns, frames, f);
    put_same("subcategory", frames, "0", f);
    put_same("column", frames, "null", f);
    put_same("innerWindowID", frames, "null", f);
    put_same("implementation", frames, "null", f);
    fputs(",\n\"address\":[", f);
    for (u32 i = 0; i < frames->count; i++) {
        const u32 *cell = frames->cell + (size_t)i * FRAME_WIDTH;
        u64 addr = (u64)cell[FRAME_HIGH] << 32 | cell[FRAME_LOW];

        fprintf(f, "%s%" PRId64, i ? "," : "", addr ? (int64_t)addr : -1);
    }
    fputs("]}", f);
}

/* Write an element of a column: a number, or null. */
static void
put_number(u32 row, bool known, u64 value, FILE *f)
{
    fputs(row ? "," : "", f);
    if (known)
        fprintf(f, "%" PRIu64, value);
    else
        fputs("null", f);
}

static void
write_funcs(const struct foxtables *t, FILE *f)
{
    const struct foxrows *funcs = &t->funcs;

    begin_table("funcTable", funcs, f);
    put_columns(func_columns, funcs, f);
    put_same("isJS", funcs, "false", f);
    put_same("relevantForJS", funcs, "false", f);
    put_same("columnNumber", funcs, "null", f);
    fputs(",\n\"resource\":[", f);
    for (u32 i = 0; i < funcs->count; i++)
        fprintf(f, "%s%" PRId64, i ? "," : "",
                (int64_t)funcs->cell[(size_t)i * FUNC_WIDTH + FUNC_RESOURCE] - 1);
    fputs("],\n\"lineNumber\":[", f);
    for (u32 i = 0; i < funcs->count; i++) {
        struct function_info info;

        function_get(t->set->session, funcs->cell[(size_t)i * FUNC_WIDTH + FUNC_ID],
                     &info);
        put_number(i, info.file && info.line, info.line, f);
    }
    fputs("]}", f);
}

static void
write_symbols(const struct foxtables *t, FILE *f)
{
    const struct foxrows *symbols = &t->symbols;
    struct function_info info;

    begin_table("nativeSymbols", symbols, f);
    put_columns(symbol_columns, symbols, f);
    fputs(",\n\"address\":[", f);
    for (u32 i = 0; i < symbols->count; i++) {
        function_get(t->set->session,
                     symbols->cell[(size_t)i * SYMBOL_WIDTH + SYMBOL_FUNCTION], &info);
        put_number(i, true, info.addr, f);
    }
    fputs("],\n\"functionSize\":[", f);
    for (u32 i = 0; i < symbols->count; i++) {
        function_get(t->set->session,
                     symbols->cell[(size_t)i * SYMBOL_WIDTH + SYMBOL_FUNCTION], &info);
        put_number(i, info.size > 0, info.size, f);
    }
    fputs("]}", f);
}

void
foxtables_write(const struct foxtables *t, FILE *f)
{
    write_stacks(t, f);
    write_frames(t, f);
    write_funcs(t, f);
    write_symbols(t, f);
    begin_table("resourceTable", &t->resources, f);
    put_columns(resource_columns, &t->resources, f);
    put_same("host", &t->resources, "null", f);
    put_same("type", &t->resources, RESOURCE_LIBRARY, f);
    fputs("},\n\"stringArray\":[", f);
    for (u32 i = 0; i < t->nstrings; i++) {
        fputs(i ? ",\n" : "\n", f);
        out_string(t->string[i], f);
    }
    putc(']', f);
}

void
foxtables_write_libs(struct session *session, const struct foxrows *libs, FILE *f)
{
    putc('[', f);
    for (u32 i = 0; i < libs->count; i++) {
        struct object_info info;

        object_get(session, libs->cell[i], &info);
        fputs(i ? ",\n{\"name\":" : "\n{\"name\":", f);
        out_string(info.name, f);
        fputs(",\"debugName\":", f);
        out_string(info.name, f);
        fputs(",\"path\":", f);
        out_string(info.path, f);
        fputs(",\"debugPath\":", f);
        out_string(info.path, f);
        fputs(",\"breakpadId\":\"\",\"arch\":null,\"codeId\":", f);
        if (info.buildid && *info.buildid)
            out_string(info.buildid, f);
        else
            fputs("null", f);
        putc('}', f);
    }
    putc(']', f);
}
