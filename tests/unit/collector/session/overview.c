/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/session/overview.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

static char scratch[64];
static int dir;
static struct expdir e;

static void
make(void)
{
    strcpy(scratch, "/tmp/ertools-overview.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    dir = open(scratch, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(experiment_create(&e, dir, "a.er"), 0);
}

static void
discard(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(overview, .init = make, .fini = discard);

static u64
field(const unsigned char **p, const unsigned char *end)
{
    u64 v = 0;

    cr_assert_eq(get_varint(p, end, &v), 0);
    return v;
}

/* Check one chunk's records against what sample n was given; returns the next n. */
static u64
read_chunk(const struct er_chunk *chunk, u32 committed, u64 n)
{
    const unsigned char *p = (const unsigned char *)(chunk + 1);
    const unsigned char *end = (const unsigned char *)chunk + committed;
    struct codec codec;

    codec_start(&codec, chunk->tsc0, 0);
    cr_assert_eq(chunk->thread_id, 0);
    for (; p < end; n++) {
        struct er_str label;
        u64 time;
        u32 kind;

        cr_assert_eq(get_head(&codec, &p, end, &kind, &time), 0);
        cr_assert_eq(kind, KIND_sample);
        cr_assert_eq(time, 1000 + n * 10);
        cr_assert_eq(field(&p, end), 5000 + n, "mono");
        cr_assert_eq(field(&p, end), CAUSE_PERIODIC);
        cr_assert_eq(field(&p, end), n * n, "user");
        cr_assert_eq(field(&p, end), UINT64_MAX - n, "system");
        for (int i = 0; i < 10; i++)
            field(&p, end);
        cr_assert_eq(field(&p, end), KNOWN_user | KNOWN_system | KNOWN_handlers);
        cr_assert_eq(get_str(&p, end, &label), 0);
        cr_assert(label.len == 5 && !memcmp(label.s, "label", 5));
    }
    return n;
}

static u64
read_all(int sealed)
{
    size_t size = e.ctl->file[FILE_overview].next;
    struct chunk_cursor cursor = { .size = size, .file = FILE_overview };
    const struct er_chunk *chunk;
    u64 n = 0, where;
    u32 committed, seq = 0;
    int ret;

    cursor.data = mmap(NULL, size, PROT_READ, MAP_SHARED, e.file[FILE_overview], 0);
    cr_assert_neq(cursor.data, MAP_FAILED);
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) == 1) {
        cr_assert(chunk_data_ok(chunk, committed));
        cr_assert_eq(chunk->chunk_seq, seq++);
        n = read_chunk(chunk, committed, n);
    }
    cr_assert_eq(ret, 0);
    cr_assert_eq(chunk->flags & CHUNK_SEALED, sealed ? CHUNK_SEALED : 0);
    return n;
}

static int
put(struct overview *o, u64 n)
{
    struct moment now = { .tick = 1000 + n * 10, .mono = 5000 + n };
    struct process_use a = { .use = { .user = n * n,
                                  .system = UINT64_MAX - n,
                                  .known = KNOWN_user | KNOWN_system } };

    return overview_put(o, &e, now, CAUSE_PERIODIC, &a, "label");
}

Test(overview, what_was_put_can_be_read_at_any_moment)
{
    struct overview o = { .at = 0 };

    for (u64 n = 0; n < 300; n++) {
        cr_assert_eq(put(&o, n), 0);
        if (n % 50 == 0)
            cr_assert_eq(read_all(0), n + 1);
    }
    overview_end(&o, &e);
    cr_assert_eq(read_all(1), 300);
}

Test(overview, chunks_never_cross_a_segment)
{
    struct overview o = { .at = 0 };
    u64 left = ER_CHUNK_REST;

    /* Somebody else took nearly all of the first segment. */
    e.ctl->file[FILE_overview].next = ER_SEGMENT - left;
    cr_assert_eq(put(&o, 0), 0);
    cr_assert_eq(o.at, ER_SEGMENT - left);
    cr_assert_eq(o.size, left);
    for (u64 n = 1; n < 20; n++)
        cr_assert_eq(put(&o, n), 0);
    cr_assert_geq(o.at, ER_SEGMENT);
    cr_assert_geq(e.ctl->file[FILE_overview].reserved, 2 * ER_SEGMENT);
}

Test(overview, without_room_records_are_counted)
{
    struct rlimit limit = { ER_SEGMENT, RLIM_INFINITY };
    struct overview o = { .at = 0 };

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    e.ctl->file[FILE_overview].next = ER_SEGMENT;
    cr_assert_eq(put(&o, 0), -EFBIG);
    cr_assert_eq(put(&o, 1), -EFBIG);
    cr_assert_eq(o.dropped, 2);
    limit.rlim_cur = RLIM_INFINITY;
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    cr_assert_eq(put(&o, 2), 0);
    cr_assert_eq(o.dropped, 0);
    cr_assert_eq(((struct er_chunk *)(void *)o.data)->dropped, 2);
}
