/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/threads.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>

Test(threads, rows_with_their_own_number)
{
    static unsigned char data[6 * ER_THREAD_BYTES];
    struct rec_thread r = { .id = 2, .tid = 77, .birth = 5, .cpu_last = 9, .seen = 3 };
    struct schema schema = { 0 };
    struct threads threads;

    schema_builtin(&schema);
    memcpy(r.name.c, "sixteen-letters!", 16);
    rec_put_thread(NULL, data + 2 * ER_THREAD_BYTES, &r);
    r.id = 4;
    rec_put_thread(NULL, data + 4 * ER_THREAD_BYTES, &r);
    rec_put_thread(NULL, data + 5 * ER_THREAD_BYTES, &r); /* not its number */
    cr_assert_eq(threads_read(&threads, schema_find_file(&schema, "threads"), data,
                              sizeof(data)), 0);
    cr_assert_eq(threads.count, 2);
    cr_assert_eq(threads.id_max, 4);
    cr_assert_eq(threads_find(&threads, 2)->tid, 77);
    cr_assert_str_eq(threads_find(&threads, 2)->name, "sixteen-letters!");
    cr_assert_eq(threads_find(&threads, 4)->cpu_last, 9);
    cr_assert_null(threads_find(&threads, 3));
    threads_free(&threads);
    cr_assert_eq(threads_read(&threads, NULL, data, sizeof(data)), -EINVAL);
    schema_free(&schema);
}
