/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/gen/gen.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct gen_chunk {
    u64 at; /* in the file */
    u32 used;
    u32 size; /* 0 = none open */
    u32 next_size;
    u32 seq;
    struct codec codec;
};

static void *
must(void *p)
{
    if (!p) {
        fprintf(stderr, "gen: out of memory\n");
        exit(2);
    }
    return p;
}

static void
check(int ok, const char *what, const char *name)
{
    if (ok)
        return;
    fprintf(stderr, "gen: %s %s: %s\n", what, name, strerror(errno));
    exit(2);
}

static void
reserve(struct gen_file *file, u64 end)
{
    u64 size = (end + ER_SEGMENT - 1) / ER_SEGMENT * ER_SEGMENT;

    if (size <= file->size)
        return;
    if (size < file->size * 2)
        size = file->size * 2;
    file->data = must(realloc(file->data, size));
    memset(file->data + file->size, 0, size - file->size);
    file->size = size;
}

static struct er_chunk *
header(struct gen *gen, enum er_file file, const struct gen_chunk *chunk)
{
    return (struct er_chunk *)(void *)(gen->file[file].data + chunk->at);
}

static void
seal(struct gen *gen, enum er_file file, struct gen_chunk *chunk)
{
    struct er_chunk *h;

    if (!chunk->size)
        return;
    h = header(gen, file, chunk);
    h->committed = chunk->used;
    h->data_crc = crc32c(0, h + 1, chunk->used - sizeof(*h));
    h->flags |= CHUNK_SEALED;
    chunk->size = 0;
}

/* Take space: never across a segment, and no remainder that is too small. */
static void
take(struct gen *gen, enum er_file file, struct gen_chunk *chunk)
{
    struct gen_file *f = &gen->file[file];
    u64 left = ER_SEGMENT - f->next % ER_SEGMENT;

    if (left < ER_CHUNK_REST) {
        f->next += left;
        left = ER_SEGMENT;
    }
    if (!chunk->next_size)
        chunk->next_size = ER_CHUNK_MIN;
    chunk->at = f->next;
    chunk->size = left < chunk->next_size ? (u32)left : chunk->next_size;
    f->next += chunk->size;
    if (chunk->next_size * 2 <= er_files[file].chunk_max)
        chunk->next_size *= 2;
    reserve(f, f->next);
}

static void
begin(struct gen *gen, enum er_file file, struct gen_chunk *chunk, u32 thread, u64 mono)
{
    struct er_chunk *h;

    take(gen, file, chunk);
    h = header(gen, file, chunk);
    *h = (struct er_chunk){
        .magic = ER_CHUNK_MAGIC,
        .version = ER_CHUNK_VERSION,
        .file = (uint8_t)file,
        .size = chunk->size,
        .committed = sizeof(*h),
        .thread_id = thread,
        .chunk_seq = chunk->seq++,
        .tsc0 = mono * gen->tick_scale,
        .mono0 = mono,
    };
    h->header_crc = chunk_header_crc(h);
    chunk->used = sizeof(*h);
    codec_start(&chunk->codec, h->tsc0 >> er_files[file].time_shift, 0);
}

/* The chunk that has room for `need` bytes more. */
static struct gen_chunk *
room(struct gen *gen, enum er_file file, u32 thread, u64 mono, u32 need)
{
    struct gen_chunk **slot = &gen->chunk[thread * FILE_COUNT + file];

    if (!*slot)
        *slot = must(calloc(1, sizeof(**slot)));
    if ((*slot)->size && (*slot)->size - (*slot)->used < need)
        seal(gen, file, *slot);
    if (!(*slot)->size)
        begin(gen, file, *slot, thread, mono);
    return *slot;
}

static unsigned char *
place(struct gen *gen, enum er_file file, const struct gen_chunk *chunk)
{
    return gen->file[file].data + chunk->at + chunk->used;
}

static void
commit(struct gen *gen, enum er_file file, struct gen_chunk *chunk, unsigned char *end)
{
    chunk->used = (u32)(end - (gen->file[file].data + chunk->at));
    header(gen, file, chunk)->committed = chunk->used;
}

static u64
record_time(const struct gen *gen, enum er_file file, u64 mono)
{
    return mono * gen->tick_scale >> er_files[file].time_shift;
}

void
gen_clock(struct gen *gen, u32 thread, u64 mono, const struct rec_clock *record)
{
    struct gen_chunk *chunk = room(gen, FILE_profile, thread, mono, ER_RECORD_MAX);
    struct rec_clock r = *record;

    r.time = record_time(gen, FILE_profile, mono);
    commit(gen, FILE_profile, chunk,
           rec_put_clock(&chunk->codec, place(gen, FILE_profile, chunk), &r));
}

void
gen_residual(struct gen *gen, u32 thread, u64 mono, const struct rec_residual *record)
{
    struct gen_chunk *chunk = room(gen, FILE_profile, thread, mono, ER_RECORD_MAX);
    struct rec_residual r = *record;

    r.time = record_time(gen, FILE_profile, mono);
    commit(gen, FILE_profile, chunk,
           rec_put_residual(&chunk->codec, place(gen, FILE_profile, chunk), &r));
}

void
gen_off(struct gen *gen, u32 thread, u64 mono, const struct rec_off *record)
{
    struct gen_chunk *chunk = room(gen, FILE_profile, thread, mono, ER_RECORD_MAX);
    struct rec_off r = *record;

    r.time = record_time(gen, FILE_profile, mono);
    commit(gen, FILE_profile, chunk,
           rec_put_off(&chunk->codec, place(gen, FILE_profile, chunk), &r));
}

void
gen_sample(struct gen *gen, u32 thread, u64 mono, const struct rec_sample *record)
{
    u32 need = ER_RECORD_MAX + 160 + record->label.len;
    struct gen_chunk *chunk = room(gen, FILE_overview, thread, mono, need);
    struct rec_sample r = *record;

    r.time = record_time(gen, FILE_overview, mono);
    r.mono = mono;
    if (!r.label.s)
        r.label.s = "";
    commit(gen, FILE_overview, chunk,
           rec_put_sample(&chunk->codec, place(gen, FILE_overview, chunk), &r));
}

/* A function that writes a record of a trace with its time. */
#define TRACE_RECORD(function, kind, trace, more)                               \
    void function(struct gen *gen, u32 thread, u64 mono,                        \
                  const struct rec_##kind *record)                              \
    {                                                                           \
        const enum er_file file = FILE_##trace;                                 \
        struct rec_##kind r = *record;                                          \
        struct gen_chunk *chunk =                                               \
            room(gen, file, thread, mono, ER_RECORD_MAX + (more));              \
                                                                                \
        r.time = record_time(gen, file, mono);                                  \
        TIMES_##kind;                                                           \
        commit(gen, file, chunk,                                                \
               rec_put_##kind(&chunk->codec, place(gen, file, chunk), &r));     \
    }
#define SINCE(member) r.member = r.time - record_time(gen, file, mono - r.member)
#define TIMES_alloc (void)0
#define TIMES_free (void)0
#define TIMES_map (void)0
#define TIMES_unmap (void)0
#define TIMES_realloc SINCE(took)
#define TIMES_remap SINCE(took)
#define TIMES_wait SINCE(took)
#define TIMES_hold SINCE(held)
#define TIMES_order (void)0
#define TIMES_renew (void)0
#define TIMES_io SINCE(took)
#define TIMES_file (void)0
#define TIMES_count (void)0
#define TIMES_access (void)0
#define TIMES_total (void)0
#define TIMES_mpi SINCE(took)
#define TIMES_done  \
    SINCE(waited); \
    SINCE(posted)
#define TIMES_start SINCE(took)
#define TIMES_comm (void)0
#define TIMES_partner (void)0
#define TIMES_span SINCE(took)
#define TIMES_path (void)0
#define TIMES_usage (void)0
#define TIMES_notice SINCE(since)

TRACE_RECORD(gen_alloc, alloc, heaptrace, 0)
TRACE_RECORD(gen_free, free, heaptrace, 0)
TRACE_RECORD(gen_realloc, realloc, heaptrace, 0)
TRACE_RECORD(gen_memory_map, map, heaptrace, 0)
TRACE_RECORD(gen_memory_unmap, unmap, heaptrace, 0)
TRACE_RECORD(gen_memory_remap, remap, heaptrace, 0)
TRACE_RECORD(gen_wait, wait, synctrace, 0)
TRACE_RECORD(gen_hold, hold, synctrace, 0)
TRACE_RECORD(gen_order, order, synctrace, 0)
TRACE_RECORD(gen_renew, renew, synctrace, 0)
TRACE_RECORD(gen_io, io, iotrace, 0)
TRACE_RECORD(gen_open, file, iotrace, r.name.len)
TRACE_RECORD(gen_count, count, hwcounters, 0)
TRACE_RECORD(gen_access, access, hwcounters, 0)
TRACE_RECORD(gen_total, total, overview, 0)
TRACE_RECORD(gen_mpi, mpi, mpitrace, 0)
TRACE_RECORD(gen_done, done, mpitrace, 0)
TRACE_RECORD(gen_begun, start, mpitrace, 0)
TRACE_RECORD(gen_comm, comm, mpitrace, r.name.len)
TRACE_RECORD(gen_partner, partner, mpitrace, 0)
TRACE_RECORD(gen_span, span, regions, 0)
TRACE_RECORD(gen_path, path, regions, r.name.len)
TRACE_RECORD(gen_usage, usage, regions, 0)
TRACE_RECORD(gen_notice, notice, regions, r.text.len)

void
gen_escape(struct gen *gen, u32 thread, enum er_file file, u64 mono, u32 kind, u32 len)
{
    struct gen_chunk *chunk = room(gen, file, thread, mono, len + ER_RECORD_MAX);
    unsigned char *p = place(gen, file, chunk);

    p = put_head(&chunk->codec, p, KIND_escape, record_time(gen, file, mono));
    p = put_varint(p, kind);
    p = put_varint(p, len);
    memset(p, 0xa5, len);
    commit(gen, file, chunk, p + len);
}

/* A row of a ROWS file at index i. */
static unsigned char *
row(struct gen *gen, enum er_file file, u32 i, u32 bytes)
{
    struct gen_file *f = &gen->file[file];
    u64 end = ((u64)i + 1) * bytes;

    reserve(f, end);
    if (f->next < end)
        f->next = end;
    return f->data + (u64)i * bytes;
}

void
gen_node_at(struct gen *gen, u32 id, u32 parent, u32 instance, u64 pc, u32 flags)
{
    struct rec_node r = { parent, instance, pc, flags };

    rec_put_node(NULL, row(gen, FILE_frameinfo, id, ER_NODE_BYTES), &r);
}

u32
gen_node(struct gen *gen, u32 parent, u32 instance, u64 pc, u32 flags)
{
    gen_node_at(gen, ++gen->nodes, parent, instance, pc, flags);
    return gen->nodes;
}

void
gen_thread(struct gen *gen, const struct rec_thread *r)
{
    gen->threads = r->id;
    rec_put_thread(NULL, row(gen, FILE_threads, r->id, ER_THREAD_BYTES), r);
}

static void
put_schema(FILE *log)
{
    for (u32 i = 0; i < FILE_COUNT; i++) {
        fprintf(log, "<file name=\"%s\" layout=\"%s\" time_shift=\"%u\">\n",
                er_files[i].name, er_files[i].layout == LAYOUT_ROWS ? "rows" : "chunks",
                er_files[i].time_shift);
        for (u32 r = 0; r < REC_COUNT; r++) {
            const struct er_record_desc *record = &er_records[r];

            if (record->file != i)
                continue;
            fprintf(log, "<record name=\"%s\" number=\"%u\">\n", record->name,
                    record->number);
            for (u32 f = 0; f < record->nfields; f++)
                fprintf(log, "<field name=\"%s\" encoding=\"%s\" unit=\"%s\"/>\n",
                        record->fields[f].name,
                        er_encoding_names[record->fields[f].encoding],
                        record->fields[f].unit);
            fprintf(log, "</record>\n");
        }
        fprintf(log, "</file>\n");
    }
}

static void
put_head_of_log(struct gen *gen, const struct gen_host *host)
{
    fprintf(gen->log,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<experiment version=\"1\">\n"
            "<collector version=\"0.1\"/>\n"
            "<process ppid=\"1\" wd=\"/gen\" exe=\"/gen/app\" arch=\"x86_64\">\n"
            "<arg>./app</arg>\n<arg>two words</arg>\n</process>\n"
            "<host name=\"%s\" boot=\"%s\" os=\"none\" kernel=\"none\" cpus=\"2\" "
            "page_size=\"4096\"/>\n<clock ticks=\"%s\"/>\n",
            host->name, host->boot, gen->tick_scale == 1 ? "monotonic" : "tsc");
    put_schema(gen->log);
    fprintf(gen->log,
            "<event kind=\"run\" id=\"run\" time=\"%llu\" pid=\"4194304\" "
            "tick=\"%llu\" mono=\"%llu\" wall=\"%llu\">the target started</event>\n",
            (unsigned long long)gen->start,
            (unsigned long long)gen->start * gen->tick_scale,
            (unsigned long long)gen->start,
            (unsigned long long)(1700000000000000000 + host->wall));
    fprintf(gen->map,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1\">\n");
}

struct gen *
gen_start(const char *path, u32 tick_scale)
{
    struct gen_host host = { "generated", "", GEN_START, 0 };

    return gen_start_on(path, tick_scale, &host);
}

struct gen *
gen_start_on(const char *path, u32 tick_scale, const struct gen_host *host)
{
    struct gen *gen = must(calloc(1, sizeof(*gen)));

    gen->tick_scale = tick_scale;
    gen->start = host->start;
    gen->path = must(strdup(path));
    gen->chunk = must(calloc(GEN_THREADS_MAX * FILE_COUNT, sizeof(struct gen_chunk *)));
    check(mkdir(path, 0700) == 0, "cannot make", path);
    gen->dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    check(gen->dir >= 0, "cannot open", path);
    gen->log = must(open_memstream(&gen->log_text, &gen->log_len));
    gen->map = must(open_memstream(&gen->map_text, &gen->map_len));
    put_head_of_log(gen, host);
    return gen;
}

void
gen_object(struct gen *gen, u32 id, const char *name, const char *buildid, u64 bias,
           u64 lo, u64 hi, const char *flags)
{
    fprintf(gen->map,
            "<object id=\"%u\" kind=\"file\" time=\"%llu\" bias=\"0x%llx\" "
            "lo=\"0x%llx\" hi=\"0x%llx\" name=\"%s\" buildid=\"%s\" flags=\"%s\"/>\n",
            id, (unsigned long long)gen->start, (unsigned long long)bias,
            (unsigned long long)lo, (unsigned long long)hi, name, buildid, flags);
}

void
gen_unload(struct gen *gen, u32 id, u64 mono)
{
    fprintf(gen->map, "<unload id=\"%u\" time=\"%llu\"/>\n", id,
            (unsigned long long)mono);
}

void
gen_log(struct gen *gen, const char *line)
{
    fputs(line, gen->log);
}

void
gen_map(struct gen *gen, const char *line)
{
    fputs(line, gen->map);
}

void
gen_end(struct gen *gen, u64 mono, u64 user, u64 system)
{
    fprintf(gen->log,
            "<event kind=\"end\" id=\"end\" time=\"%llu\" status=\"0\" user=\"%llu\" "
            "system=\"%llu\" tick=\"%llu\" mono=\"%llu\">the target ended: exit status "
            "0</event>\n",
            (unsigned long long)mono, (unsigned long long)user,
            (unsigned long long)system, (unsigned long long)(mono * gen->tick_scale),
            (unsigned long long)mono);
    gen_tails(gen);
}

void
gen_tails(struct gen *gen)
{
    gen_log(gen, "</experiment>\n");
    gen_map(gen, "</map>\n");
}

static void
save(struct gen *gen, const char *name, const void *data, size_t len)
{
    int fd = openat(gen->dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    const char *p = data;

    check(fd >= 0, "cannot make", name);
    while (len) {
        ssize_t n = write(fd, p, len);

        check(n > 0, "cannot write", name);
        p += n;
        len -= (size_t)n;
    }
    close(fd);
}

static void
close_chunks(struct gen *gen)
{
    for (u32 i = 0; i < GEN_THREADS_MAX * FILE_COUNT; i++) {
        if (!gen->chunk[i])
            continue;
        if (!gen->unsealed)
            seal(gen, i % FILE_COUNT, gen->chunk[i]);
        free(gen->chunk[i]);
    }
    free(gen->chunk);
}

void
gen_finish(struct gen *gen)
{
    close_chunks(gen);
    fclose(gen->log);
    fclose(gen->map);
    save(gen, "log.xml", gen->log_text, gen->log_len);
    save(gen, "map.xml", gen->map_text, gen->map_len);
    for (u32 i = 0; i < FILE_COUNT; i++) {
        struct gen_file *f = &gen->file[i];

        save(gen, er_files[i].name, f->data, gen->keep_tail ? f->size : f->next);
        free(f->data);
    }
    close(gen->dir);
    free(gen->log_text);
    free(gen->map_text);
    free(gen->path);
    free(gen);
}
