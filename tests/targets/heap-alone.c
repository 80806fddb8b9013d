/* SPDX-License-Identifier: Apache-2.0 */
/* heap-alone COUNT: allocates and frees COUNT blocks, in one thread. */
/* build: -O2 -g -fno-builtin */
#include <stdlib.h>

#include "heap-own.h"

int
main(int argc, char **argv)
{
    unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;

    for (unsigned long i = 0; i < count; i++) {
        free(malloc(32 + i % 64));
        own.bytes += 32 + i % 64;
    }
    own.allocs = own.frees = count;
    own_tell();
    return 0;
}
