/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes profiles of LNT, version 2: functions as the machine sees them, each with its
 * instructions. Each metric is a counter. The program's counters are sums; a function's
 * are percentages of these; an instruction's are percentages of its function's.
 *
 * The file has eight sections, of numbers (unsigned LEB128) and of strings that end
 * with a newline; four of them are compressed by bzip2. Functions are in the order of
 * their names, and a function's counters in the order of the counters' names.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/function.h"
#include "print/model/views/disasm.h"
#include "print/out/protobuf.h"
#include "print/out/stackset.h"

enum {
    VERSION = 2,
    BZIP_LEVEL = 9,
    BZIP_MORE = 600, /* bytes by which compressed data may be longer, plus 1 % */
};

enum section {
    HEADER,
    COUNTER_NAMES,
    TOP_LEVEL,
    LINE_COUNTERS, /* compressed sections begin here */
    LINE_ADDRESSES,
    LINE_TEXT,
    TEXT_POOL, /* the last compressed section */
    FUNCTIONS,
    SECTIONS,
};

/* The cost at an address of a function; addr 0: cost that belongs to no instruction. */
struct cost {
    u32 func;
    u64 addr;
    int64_t value[METRIC_COUNT];
};

struct writer {
    struct out *out;
    struct stackset set;
    struct outname name;
    struct cost *cost;
    u32 ncosts, costs_room;
    u32 *function; /* functions with costs, sorted by name */
    u32 nfunctions, functions_room;
    u32 order[METRIC_COUNT]; /* of counters by name: their indices in set.metric */
    int64_t total[METRIC_COUNT];
    struct protobuf section[SECTIONS]; /* bytes, no messages */
};

static void
put_number(struct writer *w, enum section s, u64 value)
{
    protobuf_varint(&w->section[s], value);
}

static void
put_text(struct writer *w, enum section s, const char *text)
{
    struct protobuf *b = &w->section[s];

    /* A newline would end the text. */
    for (; *text; text++)
        protobuf_raw(b, *text == '\n' ? " " : text, 1);
    protobuf_raw(b, "\n", 1);
}

/* Write a percentage: the bits of a float, as an unsigned integer. */
static void
put_share(struct writer *w, enum section s, int64_t part, int64_t whole)
{
    float share = whole > 0 ? (float)(100 * (double)part / (double)whole) : 0;
    u32 bits;

    memcpy(&bits, &share, sizeof(bits));
    put_number(w, s, bits);
}

static int
compare_cost(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;

    if (x->func != y->func)
        return x->func < y->func ? -1 : 1;
    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Merge the costs of each function and address into one. */
static void
merge_costs(struct writer *w)
{
    u32 count = 0;

    if (w->ncosts)
        qsort(w->cost, w->ncosts, sizeof(*w->cost), compare_cost);
    for (u32 i = 0; i < w->ncosts; i++) {
        if (!count || compare_cost(&w->cost[count - 1], &w->cost[i])) {
            w->cost[count++] = w->cost[i];
            continue;
        }
        for (u32 m = 0; m < w->set.nmetrics; m++)
            w->cost[count - 1].value[m] += w->cost[i].value[m];
    }
    w->ncosts = count;
}

static int
gather_costs(struct writer *w)
{
    for (u32 i = stackset_next(&w->set, 0); i; i = stackset_next(&w->set, i)) {
        u32 top = stackset_top(&w->set, i);
        const struct location *l = &w->set.location[top ? w->set.of_node[top] : 0];
        struct cost cost = { .addr = l->addr };

        if (!stackset_values(&w->set, i, cost.value) || !l->depth)
            continue;
        cost.func = l->addr ? function_at(w->set.session, l->object, l->addr)
                            : stackset_frame(&w->set, l, l->depth - 1).func;
        for (u32 m = 0; m < w->set.nmetrics; m++)
            w->total[m] += cost.value[m];
        if (array_room(&w->cost, &w->costs_room, w->ncosts + 1, sizeof(cost)) < 0)
            return -ENOMEM;
        w->cost[w->ncosts++] = cost;
    }
    merge_costs(w);
    return 0;
}

static int
compare_name(const void *a, const void *b, void *context)
{
    const struct outname *name = context;

    return strcmp(name->text[*(const u32 *)a], name->text[*(const u32 *)b]);
}

static int
name_functions(struct writer *w)
{
    u32 count = function_count(w->set.session);
    bool *used = calloc((size_t)count + 1, sizeof(*used));
    int ret = used ? 0 : -ENOMEM;

    for (u32 i = 0; i < w->ncosts && ret == 0; i++) {
        used[w->cost[i].func] = true;
        if (i && w->cost[i].func == w->cost[i - 1].func)
            continue;
        ret = array_room(&w->function, &w->functions_room, w->nfunctions + 1,
                         sizeof(*w->function));
        if (ret == 0)
            w->function[w->nfunctions++] = w->cost[i].func;
    }
    if (ret == 0)
        ret = outname_open(w->set.session, used, &w->name);
    free(used);
    if (ret == 0 && w->nfunctions)
        qsort_r(w->function, w->nfunctions, sizeof(*w->function), compare_name,
                &w->name);
    return ret;
}

static int
compare_metric(const void *a, const void *b, void *context)
{
    const enum metric *metric = context;

    return strcmp(metrics[metric[*(const u32 *)a]].name,
                  metrics[metric[*(const u32 *)b]].name);
}

static void
put_counters(struct writer *w)
{
    for (u32 i = 0; i < w->set.nmetrics; i++)
        w->order[i] = i;
    qsort_r(w->order, w->set.nmetrics, sizeof(*w->order), compare_metric,
            w->set.metric);
    put_number(w, COUNTER_NAMES, w->set.nmetrics);
    put_number(w, TOP_LEVEL, w->set.nmetrics);
    for (u32 i = 0; i < w->set.nmetrics; i++) {
        put_text(w, COUNTER_NAMES, metrics[w->set.metric[w->order[i]]].name);
        put_number(w, TOP_LEVEL, i);
        put_number(w, TOP_LEVEL, (u64)w->total[w->order[i]]);
    }
}

/* The cost of the function's instruction at [addr, end), NULL = it has none. */
static const struct cost *
cost_at(const struct cost *cost, u32 count, u64 addr, u64 end)
{
    u32 lo = 0, hi = count;

    while (lo < hi) {
        u32 mid = lo + (hi - lo) / 2;

        if (cost[mid].addr < addr)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < count && cost[lo].addr < end ? &cost[lo] : NULL;
}

static void
put_instructions(struct writer *w, const struct disasm *d, const struct cost *cost,
                 u32 count, const int64_t *sum)
{
    u64 before = 0;

    for (u32 i = 0; i < d->count; i++) {
        const struct disasm_line *line = &d->line[i];
        const struct cost *c = cost_at(cost, count, line->addr,
                                       line->addr + line->length);

        for (u32 m = 0; m < w->set.nmetrics; m++)
            put_share(w, LINE_COUNTERS, c ? c->value[w->order[m]] : 0,
                      sum[w->order[m]]);
        put_number(w, LINE_ADDRESSES, line->addr - before);
        before = line->addr;
        put_number(w, LINE_TEXT, w->section[TEXT_POOL].len);
        put_text(w, TEXT_POOL, line->text);
    }
    put_number(w, LINE_TEXT, 0);
}

/* Write a function with its `count` costs. */
static int
put_function(struct writer *w, u32 func, const struct cost *cost, u32 count)
{
    u64 at[] = { w->section[LINE_COUNTERS].len, w->section[LINE_ADDRESSES].len,
                 w->section[LINE_TEXT].len };
    int64_t sum[METRIC_COUNT] = { 0 };
    struct disasm d;
    int ret = disasm_text(w->set.session, func, &d);

    if (ret == -ENOMEM)
        return ret;
    for (u32 i = 0; i < count; i++)
        for (u32 m = 0; m < w->set.nmetrics; m++)
            sum[m] += cost[i].value[m];
    /* A function without code, such as one of the kernel, has only its sums. */
    put_text(w, FUNCTIONS, w->name.text[func]);
    put_number(w, FUNCTIONS, ret == 0 ? d.count : 0);
    for (u32 i = 0; i < ER_COUNT(at); i++)
        put_number(w, FUNCTIONS, at[i]);
    put_number(w, FUNCTIONS, w->set.nmetrics);
    for (u32 m = 0; m < w->set.nmetrics; m++) {
        put_number(w, FUNCTIONS, m);
        put_share(w, FUNCTIONS, sum[w->order[m]], w->total[w->order[m]]);
    }
    if (ret == 0) {
        put_instructions(w, &d, cost, count, sum);
        disasm_free(&d);
    }
    return 0;
}

static int
put_functions(struct writer *w)
{
    int ret = 0;

    put_number(w, FUNCTIONS, w->nfunctions);
    for (u32 i = 0; i < w->nfunctions && ret == 0; i++) {
        struct cost key = { .func = w->function[i] };
        u32 lo = 0, hi = w->ncosts, count = 0;

        while (lo < hi) {
            u32 mid = lo + (hi - lo) / 2;

            if (compare_cost(&w->cost[mid], &key) < 0)
                lo = mid + 1;
            else
                hi = mid;
        }
        while (lo + count < w->ncosts && w->cost[lo + count].func == key.func)
            count++;
        ret = put_function(w, key.func, &w->cost[lo], count);
    }
    return ret;
}

typedef int bzip_fn(char *to, unsigned *to_len, char *from, unsigned from_len,
                    int level, int verbosity, int work);

static int
compress_section(struct protobuf *b, bzip_fn *bzip)
{
    unsigned len = (unsigned)(b->len + b->len / 100 + BZIP_MORE);
    char *data = b->len < UINT32_MAX / 2 ? malloc(len) : NULL, nothing[1];
    char *from = b->len ? (char *)b->data : nothing;

    if (!data || bzip(data, &len, from, (unsigned)b->len, BZIP_LEVEL, 0, 0) != 0) {
        free(data);
        return -ENOMEM;
    }
    free(b->data);
    b->data = (unsigned char *)data;
    b->len = len;
    return 0;
}

static int
compress_all(struct writer *w)
{
    void *library = dlopen("libbz2.so.1.0", RTLD_NOW | RTLD_LOCAL);
    bzip_fn *bzip = NULL;
    int ret = 0;

    if (library)
        *(void **)(void *)&bzip = dlsym(library, "BZ2_bzBuffToBuffCompress");
    if (!bzip) {
        out_warn(w->out, "libbz2.so.1.0 is not installed");
        return -ENOENT;
    }
    for (u32 s = 0; s < SECTIONS && ret == 0; s++) {
        if (w->section[s].failed)
            ret = -ENOMEM;
        else if (s >= LINE_COUNTERS && s <= TEXT_POOL)
            ret = compress_section(&w->section[s], bzip);
    }
    return ret;
}

/* Write the table of the sections' offsets and sizes, then the sections. */
static int
put_file(struct writer *w)
{
    struct protobuf head = { .len = 0 };
    u64 at = 0;
    int ret;

    protobuf_varint(&head, VERSION);
    for (u32 s = 0; s < SECTIONS; s++) {
        protobuf_varint(&head, at);
        protobuf_varint(&head, w->section[s].len);
        /* The name of a file with texts: empty, since the texts are in this file. */
        if (s == TEXT_POOL)
            protobuf_raw(&head, "\n", 1);
        at += w->section[s].len;
    }
    ret = head.failed ? -ENOMEM : 0;
    if (ret == 0)
        fwrite(head.data, 1, head.len, w->out->f);
    for (u32 s = 0; s < SECTIONS && ret == 0; s++)
        fwrite(w->section[s].data, 1, w->section[s].len, w->out->f);
    protobuf_free(&head);
    return ret;
}

static int
write_all(struct writer *w)
{
    int ret = gather_costs(w);

    if (ret == 0)
        ret = name_functions(w);
    if (ret < 0)
        return ret;
    put_text(w, HEADER, "raw");
    put_counters(w);
    put_text(w, TEXT_POOL, "");
    ret = put_functions(w);
    if (ret == 0)
        ret = compress_all(w);
    return ret == 0 ? put_file(w) : ret;
}

int
out_lnt(struct out *out)
{
    struct writer w = { .out = out };
    int ret = stackset_open(out, &w.set);

    if (ret < 0)
        return ret;
    ret = write_all(&w);
    for (u32 m = 0; m < w.set.nmetrics; m++)
        out_warn_negative(out, w.set.metric[m], w.set.negative[m]);
    for (u32 s = 0; s < SECTIONS; s++)
        protobuf_free(&w.section[s]);
    outname_close(&w.name);
    stackset_close(&w.set);
    free(w.cost);
    free(w.function);
    return ret;
}
