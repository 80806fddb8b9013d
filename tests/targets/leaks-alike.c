/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loses blocks from four calls in one line: 9 blocks, 200 bytes in all. Prints nothing.
 */
/* build: -O0 -g */
#include <stdlib.h>

static void *
lose(size_t size)
{
    return malloc(size);
}

int
main(void)
{
    void *volatile lost;

    for (int i = 0; i < 3; i++)
        lost = lose(10), lost = lose(20), lost = i & 1 ? lose(30) : lose(40);
    lost = NULL;
    return lost != NULL;
}
