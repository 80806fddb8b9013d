/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: everything that reads an ELF file and its DWARF.
 * tests/fuzz/run builds it.
 */
#include <stdint.h>

#include "archive/describe.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct description d;
    struct image img;

    if (image_open_memory(&img, "/fuzz", (struct bytes){data, size}, false) < 0)
        return 0;
    if (describe(&d, &img) == 0)
        describe_free(&d);
    image_close(&img);
    return 0;
}
