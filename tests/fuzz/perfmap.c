/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: a line of /tmp/perf-PID.map. What is found lies within the line.
 * tests/fuzz/run builds it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "collector/madecode/perfmap.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = malloc(size + !size);
    struct perfmap_line out;

    if (!line)
        return 0;
    memcpy(line, data, size);
    if (perfmap_parse(line, size, &out) == 0) {
        if (!out.size || !out.name_len || out.name < line ||
            out.name + out.name_len > line + size)
            abort();
        if (out.source_len && (out.source < out.name || out.source + out.source_len >
                                                            out.name + out.name_len))
            abort();
    }
    free(line);
    return 0;
}
