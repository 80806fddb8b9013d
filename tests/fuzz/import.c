/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: the readers of er_import, or only the one that FORMAT in the environment
 * names. What they gather is not written. tests/fuzz/run builds it.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes file = { data, size };
    const char *only = getenv("FORMAT");
    struct import im;

#define IMPORT_FORMAT(name, doc)           \
    if (!only || !strcmp(only, #name)) {   \
        import_open(&im, "fuzz");          \
        (void)import_##name(&im, file);    \
        import_close(&im);                 \
    }
#include "import/formats.def"
#undef IMPORT_FORMAT
    return 0;
}
