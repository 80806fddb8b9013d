/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the MPI trace of one process by the contract alone.
 *
 *   tell-mpi EXPERIMENT            what mpi_truth.h writes of the same process, then
 *                                  what must be 0, and totals
 *   tell-mpi EXPERIMENT list       each record
 *
 *   call NAME COUNT SENT RECEIVED  bytes that came with a done count for what began it
 *   to|from RANK COUNT BYTES       messages between two ranks
 *   comm KEY KIND SIZE RANK NAME
 */
/* build: -O1 -g -I@S@/../.. */
/* link: @S@/../../share/chunk.c @S@/../../share/record.c @S@/../../share/mpicall.c */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/chunk.h"
#include "share/mpicall.h"
#include "tell.h"

enum {
    FIELDS = 16,
    RANKS = 4096,
};

struct value {
    u64 n;
    struct er_str text;
};

typedef u64 sums[2]; /* count, bytes */

static u64 bad, records, odd_posted, without_node;
static u64 calls[MPICALL_END][3];
static sums to[RANKS], from[RANKS];
static int listing;

static int
get_field(struct codec *c, enum er_encoding encoding, const unsigned char **p,
          const unsigned char *end, struct value *v, u64 *last)
{
    u64 n = 0;
    u32 node;

    if (encoding == ENC_NODE) {
        if (get_node(c, p, end, &node) < 0)
            return -1;
        v->n = node;
        return 0;
    }
    if (encoding == ENC_STR)
        return get_str(p, end, &v->text);
    if (encoding == ENC_U32 || encoding == ENC_U64) {
        size_t bytes = encoding == ENC_U32 ? 4 : 8;

        if ((size_t)(end - *p) < bytes)
            return -1;
        memcpy(&v->n, *p, bytes);
        *p += bytes;
        return 0;
    }
    if (get_varint(p, end, &n) < 0)
        return -1;
    if (encoding == ENC_REP)
        n = n ? n - 1 : *last;
    v->n = *last = n;
    return encoding == ENC_REP || encoding == ENC_VARINT ? 0 : -1;
}

/* A field's value by its name. */
static u64
of(const struct er_record_desc *d, const struct value *v, const char *name)
{
    for (u32 i = 0; i < d->nfields; i++)
        if (!strcmp(d->fields[i].name, name))
            return v[i].n;
    return 0;
}

static void
add(sums *s, u64 peer, u64 bytes)
{
    if (!peer || peer > RANKS)
        return;
    s[peer - 1][0]++;
    s[peer - 1][1] += bytes;
}

static void
take_mpi(const struct er_record_desc *d, const struct value *v)
{
    u64 call = of(d, v, "call"), peer = of(d, v, "peer");
    u64 sent = of(d, v, "sent"), received = of(d, v, "received");
    u64 kind = of(d, v, "kind");
    const struct er_mpicall_desc *row = mpicall_desc((u32)call);

    if (!row) {
        bad++;
        return;
    }
    calls[call][0] += of(d, v, "again") + 1;
    calls[call][1] += sent;
    calls[call][2] += received;
    without_node += !of(d, v, "node");
    if ((kind == MPI_KIND_SEND && row->mode != MPI_MODE_INIT) ||
        row->kind == MPI_KIND_SENDRECV ||
        (row->kind == MPI_KIND_RMA && sent))
        add(to, peer, sent);
    if ((call == MPICALL_Recv || row->kind == MPI_KIND_RMA) && (received || !sent))
        add(from, peer, received);
}

static void
take_done(const struct er_record_desc *d, const struct value *v)
{
    const struct er_mpicall_desc *row = mpicall_desc((u32)of(d, v, "call"));

    if (!row) {
        bad++;
        return;
    }
    calls[of(d, v, "call")][2] += of(d, v, "received");
    odd_posted += of(d, v, "posted") < of(d, v, "waited");
    without_node += !of(d, v, "node") || !of(d, v, "posted_node");
    if (row->kind == MPI_KIND_RECV || row->kind == MPI_KIND_SENDRECV)
        add(from, of(d, v, "peer"), of(d, v, "received"));
}

static void
take_start(const struct er_record_desc *d, const struct value *v)
{
    calls[MPICALL_Startall][1] += of(d, v, "sent");
    if (of(d, v, "sent"))
        add(to, of(d, v, "peer"), of(d, v, "sent"));
}

static void
list(const struct er_record_desc *d, const struct value *v)
{
    printf("%s", d->name);
    for (u32 i = 0; i < d->nfields; i++) {
        if (d->fields[i].encoding == ENC_STR)
            printf(" %s %.*s", d->fields[i].name, (int)v[i].text.len, v[i].text.s);
        else if (!strcmp(d->fields[i].name, "call"))
            printf(" %s", mpicall_name((u32)v[i].n));
        else
            printf(" %s %llu", d->fields[i].name, (unsigned long long)v[i].n);
    }
    printf("\n");
}

static void
take(const struct er_record_desc *d, const struct value *v)
{
    records++;
    if (listing)
        list(d, v);
    else if (!strcmp(d->name, "comm"))
        printf("comm %llx %llu %llu %llu %.*s\n", (unsigned long long)of(d, v, "key"),
               (unsigned long long)of(d, v, "kind"),
               (unsigned long long)of(d, v, "size"),
               (unsigned long long)of(d, v, "rank"), (int)v[d->nfields - 1].text.len,
               v[d->nfields - 1].text.s);
    if (d->number == KIND_mpi)
        take_mpi(d, v);
    else if (d->number == KIND_done)
        take_done(d, v);
    else if (d->number == KIND_start)
        take_start(d, v);
}

static void
read_chunk(const struct er_chunk *chunk, u32 committed)
{
    const unsigned char *p = (const unsigned char *)chunk + sizeof(*chunk);
    const unsigned char *end = (const unsigned char *)chunk + committed;
    u64 last[8][FIELDS] = { { 0 } };
    struct codec c;
    u32 kind;

    codec_start(&c, chunk->tsc0 >> SHIFT_mpitrace, chunk->prev_addr);
    bad += !chunk_data_ok(chunk, committed);
    while (p < end) {
        const struct er_record_desc *d = &er_records[REC_mpi];
        struct value v[FIELDS];

        memset(v, 0, sizeof(v));
        if (get_head(&c, &p, end, &kind, &v[0].n) < 0 || !kind || kind > KIND_open) {
            bad++;
            return;
        }
        d += kind - 1;
        for (u32 i = 1; i < d->nfields; i++)
            if (get_field(&c, d->fields[i].encoding, &p, end, &v[i],
                          &last[kind][i]) < 0) {
                bad++;
                return;
            }
        take(d, v);
    }
}

static void
tell(const char *key, u64 value)
{
    printf("%s %llu\n", key, (unsigned long long)value);
}

static void
tell_threads(const char *experiment)
{
    u64 size, seen = 0, dropped = 0;
    const struct rec_thread *row = map_file(experiment, "threads", &size);

    for (u64 i = 1; i < size / sizeof(*row); i++) {
        seen += row[i].id ? row[i].mpi_seen : 0;
        dropped += row[i].id ? row[i].mpi_dropped : 0;
    }
    tell("unseen", seen - records);
    tell("dropped", dropped);
}

static void
tell_sums(const char *key, sums *s)
{
    for (u32 i = 0; i < RANKS; i++)
        if (s[i][0])
            printf("%s %u %llu %llu\n", key, i, (unsigned long long)s[i][0],
                   (unsigned long long)s[i][1]);
}

int
main(int argc, char **argv)
{
    struct chunk_cursor cursor = { .file = FILE_mpitrace };
    const struct er_chunk *chunk;
    u64 where;
    u32 committed;
    int ret;

    if (argc < 2)
        return 2;
    listing = argc > 2;
    cursor.data = map_file(argv[1], "mpitrace", &cursor.size);
    while ((ret = chunk_next(&cursor, &chunk, &committed, &where)) != 0) {
        if (ret < 0)
            bad++;
        else
            read_chunk(chunk, committed);
    }
    if (listing)
        return 0;
    for (u32 i = 0; i < MPICALL_END; i++)
        if (calls[i][0])
            printf("call %s %llu %llu %llu\n", mpicall_name(i),
                   (unsigned long long)calls[i][0], (unsigned long long)calls[i][1],
                   (unsigned long long)calls[i][2]);
    tell_sums("to", to);
    tell_sums("from", from);
    tell("bad", bad);
    tell("odd_posted", odd_posted);
    tell("without_node", without_node);
    tell_threads(argv[1]);
    tell("records", records);
    return 0;
}
