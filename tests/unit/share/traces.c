/* SPDX-License-Identifier: Apache-2.0 */
/* Families of tracing, and the records of waits and of I/O. */
#include <criterion/criterion.h>

#include "share/record.h"

static unsigned char bytes[4096];

Test(traces, a_row_names_its_file_and_library)
{
    cr_assert_str_eq(er_traces[TRACE_sync].name, "sync");
    cr_assert_str_eq(er_traces[TRACE_sync].library, "libsync.so");
    cr_assert_str_eq(er_files[er_traces[TRACE_sync].file].name, "synctrace");
    cr_assert_str_eq(er_files[er_traces[TRACE_heap].file].name, "heaptrace");
    cr_assert_str_eq(er_files[er_traces[TRACE_io].file].name, "iotrace");
}

Test(traces, the_largest_records_have_their_room)
{
    struct rec_wait w = { ~0ull, ~0ull, ~0u, ~0u, ~0ull >> 16, ~0u, ~0u, ~0u };
    struct rec_order o = { ~0ull, ~0ull >> 16, 0, ~0u, ~0u, ~0u, ~0u };
    struct rec_io i = { ~0ull, ~0ull, ~0u, ~0u, ~0u, ~0ull, 1u << 31, ~0u };
    struct codec c;

    codec_start(&c, 0, 0);
    cr_assert_leq(rec_put_wait(&c, bytes, &w) - bytes, ER_RECORD_MAX);
    codec_start(&c, 0, 0);
    cr_assert_leq(rec_put_order(&c, bytes, &o) - bytes, ER_RECORD_MAX);
    codec_start(&c, 0, 0);
    cr_assert_leq(rec_put_io(&c, bytes, &i) - bytes, ER_RECORD_MAX);
}

/* Two in a row: the second is smaller, and says the same. */
Test(traces, renew_comes_back)
{
    struct codec out, in;
    struct rec_renew r = { .time = 5000, .object = 0x7f0000001238, .kind = SYNC_SPIN };
    const unsigned char *p = bytes, *end;
    u32 kind;
    u64 time, object, what;

    codec_start(&out, 100, 0);
    codec_start(&in, 100, 0);
    end = rec_put_renew(&out, bytes, &r);
    cr_assert_eq(get_head(&in, &p, end, &kind, &time), 0);
    cr_assert_eq(get_addr(&in, &p, end, &object), 0);
    cr_assert_eq(get_varint(&p, end, &what), 0);
    cr_assert_eq(p, end);
    cr_assert(kind == KIND_renew && time == r.time && object == r.object);
    cr_assert_eq(what, (u64)SYNC_SPIN + 1);
    r.time++;
    cr_assert_lt(rec_put_renew(&out, bytes, &r) - bytes, 4);
}
