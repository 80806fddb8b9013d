/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/pool.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Test(pool, texts_keep_and_pieces_are_aligned)
{
    struct pool *pool = NULL;
    char *text[2000];

    for (int i = 0; i < 2000; i++) {
        char number[16];
        int len = snprintf(number, sizeof(number), "%d!", i);

        text[i] = pool_text(&pool, number, (size_t)len - 1);
        cr_assert_eq((uintptr_t)pool_alloc(&pool, 1) % 16, 0);
    }
    for (int i = 0; i < 2000; i++)
        cr_assert_eq(atoi(text[i]), i);
    cr_assert_eq(strlen(text[123]), 3);
    memset(pool_alloc(&pool, 1 << 20), 1, 1 << 20);
    cr_assert_null(pool_alloc(&pool, SIZE_MAX));
    pool_free(pool);
}
