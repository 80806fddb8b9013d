/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a record of a jitdump file. What is found lies within the record.
 * tests/fuzz/run builds it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/madecode/jitdump.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct jitdump_record record;

static void
check(const unsigned char *bytes, size_t size, const void *at, u64 len)
{
    const unsigned char *p = at;

    if (p < bytes || len > size || p + len > bytes + size)
        abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *bytes = malloc(size + !size);

    if (!bytes)
        return 0;
    memcpy(bytes, data, size);
    if (jitdump_parse(bytes, size, &record) == 0) {
        if (record.kind == JITDUMP_LOAD) {
            check(bytes, size, record.name.s, record.name.len);
            check(bytes, size, record.code, record.size);
        }
        if (record.nlines > JITDUMP_LINES || record.nsources > JITDUMP_SOURCES)
            abort();
        for (u32 i = 0; i < record.nsources; i++)
            check(bytes, size, record.source[i].s, record.source[i].len);
        for (u32 i = 0; i < record.nlines; i++)
            if (record.line[i].source > record.nsources)
                abort();
    }
    free(bytes);
    return 0;
}
