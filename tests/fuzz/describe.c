/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: everything that reads an ELF file and its DWARF. Build and run by hand:
 *
 *   clang -g -O1 -fsanitize=fuzzer,address,undefined -D_GNU_SOURCE -I. \
 *       tests/fuzz/describe.c archive/[b-z]*.c -o fuzz-describe   (without main, dump)
 *   ./fuzz-describe -max_len=65536 CORPUS_OF_SMALL_ELF_FILES
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
