/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a table of functions whose calls are recorded. Whatever a row says, its
 * values lie within the registers and the words that are copied.
 * tests/fuzz/run builds it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "share/calltype.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check(int good)
{
    if (!good)
        abort();
}

static void
check_value(const struct call_type *t, const struct call_value *v, u32 len)
{
    static const u32 sizes[] = { [CALL_IN_GENERAL] = 48, [CALL_IN_SSE] = 128,
                                 [CALL_ON_STACK] = 8 * CALL_STACK_WORDS,
                                 [CALL_IN_X87] = 32 };
    u32 bytes = v->flags & CALL_POINTED ? 8 : v->size;

    check(v->area < ER_COUNT(sizes) && v->offset + bytes <= sizes[v->area]);
    check(v->area != CALL_ON_STACK || v->offset + bytes <= 8 * t->words);
    check(v->argument <= t->arguments && v->list <= len && v->size);
    check(v->kind != CALL_BUF || v->length < t->before);
    check(v->limit <= CALL_TEXT_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + !size);
    struct call_type t;
    struct call_span row;
    const char *start;
    u64 pos = 0;
    u32 line = 0, at;

    if (!text)
        return 0;
    memcpy(text, data, size);
    while (calltype_next(text, size, &pos, &line, &row, &start)) {
        char *copy = malloc(row.len);

        check(copy && start >= text && start + row.len <= text + size);
        memcpy(copy, start, row.len);
        if (!calltype_parse(copy, row.len, &t, &at)) {
            check(t.values <= CALL_VALUES && t.before <= t.values);
            check(t.words <= CALL_STACK_WORDS && t.name.at + t.name.len <= row.len);
            for (u32 i = 0; i < t.values; i++)
                check_value(&t, &t.value[i], row.len);
        }
        check(at <= row.len);
        free(copy);
    }
    free(text);
    return 0;
}
