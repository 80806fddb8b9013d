/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: log.xml and map.xml; the first byte chooses. Build and run by hand:
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       $(xml2-config --cflags) tests/fuzz/xml.c print/load/{array,hash,log,map}.c \
 *       print/load/{pool,problems,schema,xml}.c share/record.c -lxml2 -o fuzz-xml
 *   ./fuzz-xml CORPUS_OF_SMALL_FILES
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
