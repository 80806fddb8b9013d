/* SPDX-License-Identifier: Apache-2.0 */
#include "print/cmd/heapstacks.h"

static u64
count(const struct heap_sums *sums)
{
    return sums->leaks;
}

static u64
bytes(const struct heap_sums *sums)
{
    return sums->leak_bytes;
}

int
cmd_leaks(struct shell *sh, int argc, char **argv)
{
    struct heapstacks what = { argv[0], "Blocks never freed", "Leak", count, bytes,
                               false };

    (void)argc;
    return heapstacks_show(sh, &what);
}
