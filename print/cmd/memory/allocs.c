/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/memory/heapstacks.h"

static u64
count(const struct heap_sums *sums)
{
    return sums->calls;
}

static u64
bytes(const struct heap_sums *sums)
{
    return sums->bytes;
}

int
cmd_allocs(struct shell *sh, int argc, char **argv)
{
    struct heapstacks what = { argv[0], "Blocks allocated", "Allocation", count, bytes,
                               false };

    (void)argc;
    return heapstacks_show(sh, &what);
}
