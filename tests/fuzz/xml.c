/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: log.xml and map.xml; the first byte chooses.
 * tests/fuzz/run builds it.
 */
#include <stdint.h>

#include "print/load/log.h"
#include "print/load/map.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct problems problems = { .lock = PTHREAD_MUTEX_INITIALIZER };
    const char *text = (const char *)data + 1;
    struct log log;
    struct map map;

    if (!size)
        return 0;
    if (data[0] & 1 && log_parse(&log, text, size - 1, "fuzz", &problems) == 0)
        log_free(&log);
    if (!(data[0] & 1) && map_parse(&map, text, size - 1, "fuzz", &problems) == 0) {
        map_find_pc(&map, size, 0);
        map_free(&map);
    }
    problems_free(&problems);
    return 0;
}
