/* SPDX-License-Identifier: Apache-2.0 */
/*
 * try_cuts: cuts files of an experiment, and reads what is left.
 *
 *   try_cuts [-s STRIDE] [-z STEP] [-a EVERY] [-r SEED] [-v] EXPERIMENT
 *
 * Of a copy, each file is cut off at every STRIDE-th length (1: at all of them; longer
 * strides vary with the seed), is filled with zeros from every STEP bytes on (512), and
 * is missing once. Each time the experiment is opened as er_print does: it must be read
 * without a crash, each record that ends before the cut must be there and no other,
 * and if anything of use is gone something must be said, in few sentences. Every
 * EVERY-th time (200) all of er_print's questions are asked. -v tells the sentences.
 * Prints a line for each that goes wrong, then the sums. Build with sanitizers to find
 * more.
 */
#include <ftw.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>

#include "print/base/array.h"
#include "print/load/record/decode.h"
#include "print/model/views/account.h"
#include "tests/fuzz/print_all.h"

enum {
    FILES_MAX = 100,
    EXPERIMENTS_MAX = 20,
    FEW = 6,         /* sentences of one cut */
    WRONG_MAX = 1000, /* that are told */
    CUTS_MAX = 25000, /* of one file */
};

struct file {
    char *path; /* from the experiment's directory */
    unsigned char *data;
    size_t size;
    u64 *end; /* of each record: its offset in the file */
    u32 ends, room;
    int experiment; /* whose records they are, -1 = it has none */
};

/* What was read of the experiment. */
struct reading {
    u64 records[EXPERIMENTS_MAX];
    u32 said;
    u32 sentences; /* the most of one experiment */
};

static struct file files[FILES_MAX];
static u32 nfiles, nexperiments;
static u64 whole[EXPERIMENTS_MAX]; /* records of each, undamaged */
static char names[EXPERIMENTS_MAX][64];
static char *from, *copy;
static FILE *report; /* standard output is er_print's */
static u64 tries, wrongs, most, seed = 1;
static u32 every = 200;
static bool verbose;
static char now[4200]; /* the cut that is tried */
static int kept;       /* a file that names it, for who finds the process dead */

static void __attribute__((format(printf, 1, 2)))
wrong(const char *format, ...)
{
    va_list args;

    if (wrongs++ >= WRONG_MAX)
        return;
    va_start(args, format);
    fprintf(report, "wrong: %s: ", now);
    vfprintf(report, format, args);
    fputc('\n', report);
    va_end(args);
}

static void
put(const struct file *file, size_t size)
{
    char path[4200];

    snprintf(path, sizeof(path), "%s/%s", copy, file->path);
    print_all_put(path, file->data, size);
}

/* The file with zeros from an offset on. */
static void
put_zeros(const struct file *file, size_t at)
{
    unsigned char *data = calloc(1, file->size + 1);
    struct file cut = *file;

    if (!data)
        abort();
    memcpy(data, file->data, at);
    cut.data = data;
    put(&cut, file->size);
    free(data);
}

static int
add_file(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
    struct file *file = &files[nfiles];
    char to[4200];
    FILE *f;

    (void)ftw;
    snprintf(to, sizeof(to), "%s%s", copy, path + strlen(from));
    if (type == FTW_D && mkdir(to, 0700) < 0)
        return -1;
    if (type != FTW_F)
        return 0;
    if (nfiles == FILES_MAX)
        return -1;
    *file = (struct file){
        .path = strdup(path + strlen(from) + 1),
        .data = malloc((size_t)st->st_size + 1),
        .size = (size_t)st->st_size,
        .experiment = -1,
    };
    f = fopen(path, "rb");
    if (!f || fread(file->data, 1, file->size, f) != file->size)
        return -1;
    fclose(f);
    put(file, file->size);
    nfiles++;
    return 0;
}

static void
ignore(void *context, const struct batch *batch)
{
    (void)context, (void)batch;
}

/* Where the records of one chunk end. */
static void
add_ends(struct file *file, struct decoder *d, const struct er_chunk *chunk,
         u32 committed, u64 where)
{
    u64 before = 0, delivered;
    u32 at, next;
    int more = 1;

    decoder_begin(d, chunk, committed);
    while (more > 0) {
        more = decoder_some(d, 1, &at);
        delivered = decoder_delivered(d);
        if (delivered == before)
            continue;
        before = delivered;
        if (array_room(&file->end, &file->room, file->ends + 1, sizeof(u64)) < 0)
            abort();
        /* The next record's beginning is not known yet. */
        if (file->ends && file->end[file->ends - 1] == 0)
            file->end[file->ends - 1] = where + at;
        file->end[file->ends++] = more > 0 ? 0 : where + committed;
    }
    next = committed;
    if (file->ends && file->end[file->ends - 1] == 0)
        file->end[file->ends - 1] = where + next;
}

static void
list_records(struct experiment *e, u32 experiment, enum er_file number)
{
    struct record_sink sink = { ignore, NULL, false };
    struct record_source source;
    struct chunk_cursor cursor = { .next = 0 };
    const struct er_chunk *chunk;
    struct file *file = NULL;
    struct decoder *d;
    u32 committed;
    u64 where;
    int got;

    if (experiment_source(e, number, &source) < 0)
        return;
    for (u32 i = 0; i < nfiles; i++)
        if (!strcmp(files[i].path, source.path + strlen(copy) + 1))
            file = &files[i];
    d = decoder_new(&source, &sink, 0, true);
    if (!file || !d)
        abort();
    file->experiment = (int)experiment;
    cursor.data = source.data;
    cursor.size = source.size;
    cursor.file = source.schema->number;
    while ((got = chunk_next(&cursor, &chunk, &committed, &where)))
        if (got > 0)
            add_ends(file, d, chunk, committed, where);
    decoder_free(d);
}

static void
hear(struct reading *r, const struct experiment *e)
{
    u32 sentences = e->problems.count + e->problems.unlisted +
                    (e->state != EXPERIMENT_COMPLETE);

    r->said += sentences;
    if (sentences > r->sentences)
        r->sentences = sentences;
    for (u32 i = 0; verbose && i < e->problems.count; i++)
        fprintf(report, "%s: %s\n", now, e->problems.text[i]);
    if (verbose && e->state != EXPERIMENT_COMPLETE)
        fprintf(report, "%s: %s has no end\n", now, e->path);
}

static u32
index_of(const struct experiment *e)
{
    for (u32 i = 0; i < nexperiments; i++)
        if (!strcmp(names[i], experiment_base(e)))
            return i;
    return nexperiments;
}

/* What a look at each kind of data says, which may not be known before. */
static void
look(struct shell *sh)
{
    static const char *const views[] = { "functions", "heapstat", "locks",
                                            "ioactivity", "sample_list" };

    for (u32 i = 0; i < ER_COUNT(views); i++) {
        char *name = strdup(views[i]), *v[] = { name, NULL };

        run_words(sh, 1, v);
        free(name);
    }
}

static void
read_copy(struct reading *r, bool all)
{
    struct shell sh;

    *r = (struct reading){ 0 };
    print_all_start(&sh);
    if (shell_add(&sh, copy)) {
        r->said = r->sentences = 1;
        print_all_end(&sh);
        return;
    }
    look(&sh);
    if (all)
        print_all_ask(&sh);
    for (u32 i = 0; i < sh.session->nexperiments; i++) {
        struct experiment *e = sh.session->experiment[i];
        struct account account;
        u32 index = index_of(e);

        if (index == nexperiments || account_build(sh.session, i, &account) < 0)
            abort();
        r->records[index] = account.total.records;
        account_free(&account);
        hear(r, e);
    }
    print_all_end(&sh);
}

static void
start_copy(void)
{
    struct shell sh;
    struct reading r;

    print_all_start(&sh);
    if (shell_add(&sh, copy) || sh.session->nexperiments > EXPERIMENTS_MAX)
        abort();
    nexperiments = sh.session->nexperiments;
    for (u32 i = 0; i < nexperiments; i++) {
        struct experiment *e = sh.session->experiment[i];

        snprintf(names[i], sizeof(names[i]), "%s", experiment_base(e));
        for (u32 n = 0; n < FILE_COUNT; n++)
            list_records(e, i, n);
    }
    print_all_end(&sh);
    snprintf(now, sizeof(now), "undamaged");
    read_copy(&r, true);
    memcpy(whole, r.records, sizeof(whole));
    for (u32 i = 0; i < nexperiments; i++) {
        u64 records = 0;

        for (u32 n = 0; n < nfiles; n++)
            if (files[n].experiment == (int)i)
                records += files[n].ends;
        if (records != whole[i])
            wrong("%s has %llu records, and %llu are read", names[i],
                  (unsigned long long)records, (unsigned long long)whole[i]);
    }
    if (r.said)
        wrong("something is said of it");
}

static const char *
base_of(const struct file *file)
{
    const char *slash = strrchr(file->path, '/');

    return slash ? slash + 1 : file->path;
}

/* Has the file lost something of use by the cut: more than zeros, or a last tag? */
static bool
is_loss(const struct file *file, size_t at, bool zeros, bool missing)
{
    static const char *const tails[] = { "</experiment>\n", "</map>\n" };
    size_t left = file->size - at;

    /* Nothing says how long the user's own text was; an index only adds to files. */
    if (!strcmp(base_of(file), "notes") || !strcmp(base_of(file), "index.xml"))
        return false;
    /* It is made anew; and it gets its name when it is whole. */
    if ((missing || zeros) && !strncmp(file->path, "archives/", 9))
        return false;
    for (u32 i = 0; i < ER_COUNT(tails); i++)
        if (strlen(tails[i]) >= left &&
            !memcmp(file->data + at, tails[i] + strlen(tails[i]) - left, left))
            return false;
    if (file->experiment >= 0 && zeros)
        return file->ends && file->end[file->ends - 1] > at;
    for (; at < file->size; at++)
        if (file->data[at])
            return true;
    return false;
}

/* A log is what makes a directory an experiment, and the founder's one its others. */
static bool
is_log(const struct file *file)
{
    return !strcmp(base_of(file), "log.xml");
}

static u64
records_before(const struct file *file, size_t at)
{
    u64 n = 0;

    for (u32 i = 0; i < file->ends; i++)
        n += file->end[i] <= at;
    return n;
}

static void
judge(const struct file *file, size_t at, bool zeros, bool missing)
{
    struct reading r;

    if (pwrite(kept, now, strlen(now) + 1, 0) < 0)
        abort();
    tries++;
    read_copy(&r, every && tries % every == 0);
    if (r.sentences > most)
        most = r.sentences;
    if (r.sentences > FEW)
        wrong("%u sentences are said of one experiment", r.sentences);
    if (!r.said && is_loss(file, at, zeros, missing))
        wrong("nothing is said");
    for (u32 i = 0; i < nexperiments; i++) {
        u64 wanted = whole[i];

        if (file->experiment == (int)i)
            wanted -= file->ends - records_before(file, at);
        if (r.records[i] != wanted && !(missing && is_log(file)))
            wrong("%llu records are read of %s, not %llu",
                  (unsigned long long)r.records[i], names[i],
                  (unsigned long long)wanted);
    }
}

static u64
random_below(u64 n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % n;
}

static void
cut_file(const struct file *file, u64 stride, u64 step)
{
    char path[4200];

    if (stride < file->size / CUTS_MAX)
        stride = file->size / CUTS_MAX;
    if (step < file->size / CUTS_MAX)
        step = (file->size / CUTS_MAX + 511) / 512 * 512;
    for (u64 at = random_below(stride); at < file->size;
         at += 1 + random_below(2 * stride - 1)) {
        snprintf(now, sizeof(now), "%s cut at %llu of %zu", file->path,
                 (unsigned long long)at, file->size);
        put(file, at);
        judge(file, at, false, false);
    }
    for (u64 at = 0; at < file->size; at += step) {
        snprintf(now, sizeof(now), "%s zero from %llu of %zu", file->path,
                 (unsigned long long)at, file->size);
        put_zeros(file, at);
        judge(file, at, true, false);
    }
    snprintf(path, sizeof(path), "%s/%s", copy, file->path);
    snprintf(now, sizeof(now), "%s missing", file->path);
    if (unlink(path) < 0)
        abort();
    judge(file, 0, false, true);
    put(file, file->size);
}

static void
remove_copy(void)
{
    char command[4200];

    snprintf(command, sizeof(command), "rm -rf '%s'", copy);
    if (system(command))
        abort();
}

int
main(int argc, char **argv)
{
    u64 stride = 1, step = 512;
    int opt;

    while ((opt = getopt(argc, argv, "s:z:a:r:v")) >= 0) {
        switch (opt) {
        case 's': stride = strtoull(optarg, NULL, 10); break;
        case 'z': step = strtoull(optarg, NULL, 10); break;
        case 'a': every = (u32)strtoul(optarg, NULL, 10); break;
        case 'r': seed = strtoull(optarg, NULL, 10); break;
        case 'v': verbose = true; break;
        default: return 2;
        }
    }
    if (optind + 1 != argc || !stride || !step || !seed)
        return 2;
    from = argv[optind];
    copy = strdup("cuts.er");
    report = fdopen(dup(1), "w");
    setlinebuf(report);
    kept = open("cuts.now", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (kept < 0 || nftw(from, add_file, 8, FTW_PHYS))
        abort();
    fprintf(report, "seed %llu\n", (unsigned long long)seed);
    start_copy();
    for (u32 i = 0; i < nfiles; i++) {
        u64 before = tries, bad = wrongs;

        cut_file(&files[i], stride, step);
        fprintf(report, "%s: %zu bytes, %u records, %llu cuts, %llu wrong\n",
                files[i].path, files[i].size, files[i].ends,
                (unsigned long long)(tries - before),
                (unsigned long long)(wrongs - bad));
    }
    fprintf(report, "tried %llu wrong %llu sentences %llu\n", (unsigned long long)tries,
            (unsigned long long)wrongs, (unsigned long long)most);
    remove_copy();
    return wrongs != 0;
}
