/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/cmd/run.h"
#include "print/out/reportdata.h"
#include "print/out/reportpack.h"

enum {
    ROWS_MAX = 2000, /* of a table; the table says how many more there are */
    STEPS_MAX = 6000, /* rows of a table that has some for each step of time */
    INDEXED_MAX = 32 << 20, /* bytes of all records: with more, no index objects are
                               made */
};

/* Columns for index objects whose events have none of the usual metrics. */
#define HEAP "e.heapalloccnt:e.heapallocbytes:e.heapleakcnt:e.heapleakbytes:name"
#define HEAP_SORT "e.heapallocbytes"
#define SYNC "e.sync:e.syncn:e.synchold:name"
#define MPI "e.mpitime:e.mpicnt:e.mpisendbytes:e.mpirecvbytes:name"
#define OMP "e.ompwork:e.ompwait:e.ompovhd:name"

/*
 * The tables of a report: the commands of er_print that make them, and the data they
 * need.
 */
static const struct {
    const char *view;
    const char *command[3];
    const char *metric; /* needed data: this metric, or one of these words: */
                        /* "" always, "+" several processes, "+io" any I/O, */
                        /* "+regions" regions that the program named, */
                        /* "+memory" addresses of data that counters saw; */
                        /* "#..." likewise; of large experiments, no rows */
    const char *metrics, *sort; /* what -metrics and -sort get before; NULL: as usual */
} tables[] = {
    { "summary", { "summary" }, "", NULL, NULL },
    { "header", { "header" }, "", NULL, NULL },
    { "objects", { "objects" }, "", NULL, NULL },
    { "threads", { "thread_list" }, "", NULL, NULL },
    { "statistics", { "statistics" }, "", NULL, NULL },
    { "heap", { "heap" }, "heapalloccnt", NULL, NULL },
    { "heapstat", { "heapstat" }, "heapalloccnt", NULL, NULL },
    { "heaptime", { "heapstat", "time", "512" }, "heapalloccnt", NULL, NULL },
    { "heapfunctions", { "heapstat", "functions", "256" }, "heapalloccnt", NULL, NULL },
    { "leaks", { "leaks" }, "heapalloccnt", NULL, NULL },
    { "allocs", { "allocs" }, "heapalloccnt", NULL, NULL },
    { "locks", { "locks" }, "syncn", NULL, NULL },
    { "lockobjects", { "locks", "objects" }, "syncn", NULL, NULL },
    { "lockstacks", { "locks", "stacks" }, "syncn", NULL, NULL },
    { "lockwaits", { "locks", "waits" }, "syncn", NULL, NULL },
    { "deadlocks", { "deadlocks" }, "syncn", NULL, NULL },
    { "ioactivity", { "ioactivity" }, "+io", NULL, NULL },
    { "iodetail", { "iodetail" }, "+io", NULL, NULL },
    { "iocallstack", { "iocallstack" }, "+io", NULL, NULL },
    { "iostat", { "iostat" }, "+io", NULL, NULL },
    { "calls", { "calls" }, "callcnt", NULL, NULL },
    { "callsby", { "calls", "by", "text" }, "callcnt", NULL, NULL },
    { "slowcalls", { "calls", "slow" }, "callcnt", NULL, NULL },
    { "mpi", { "mpi" }, "mpicnt", NULL, NULL },
    { "mpidetail", { "mpidetail" }, "mpicnt", NULL, NULL },
    { "mpimatrix", { "mpimatrix" }, "mpicnt", NULL, NULL },
    { "mpimessages", { "mpimatrix", "messages" }, "mpicnt", NULL, NULL },
    { "mpiwait", { "mpiwait" }, "mpicnt", NULL, NULL },
    { "mpidelay", { "mpidelay" }, "mpicnt", NULL, NULL },
    { "mpicritical", { "mpicritical" }, "mpicnt", NULL, NULL },
    { "mpibalance", { "mpibalance" }, "mpicnt", NULL, NULL },
    { "regions", { "regions" }, "+regions", NULL, NULL },
    { "instances", { "regions", "instances" }, "+regions", NULL, NULL },
    { "costly", { "regions", "costly" }, "+regions", NULL, NULL },
    { "omp", { "omp" }, "ompwork", NULL, NULL },
    { "omploops", { "omp", "loops" }, "ompwork", NULL, NULL },
    { "omptasks", { "omp", "tasks" }, "ompwork", NULL, NULL },
    { "processes", { "processes" }, "+", NULL, NULL },
    { "experiments", { "experiment_list" }, "", NULL, NULL },
    { "byseconds", { "indxobj", "Seconds" }, "#", NULL, NULL },
    { "bythreads", { "indxobj", "Threads" }, "#", NULL, NULL },
    { "bycpus", { "indxobj", "CPUs" }, "#", NULL, NULL },
    { "bysamples", { "indxobj", "Samples" }, "#", NULL, NULL },
    { "byprocesses", { "indxobj", "Processes" }, "#+", NULL, NULL },
    { "byprograms", { "indxobj", "Programs" }, "#+", NULL, NULL },
    { "byregions", { "indxobj", "Regions" }, "#+regions", NULL, NULL },
    { "byompregions", { "indxobj", "OMP_preg" }, "#ompwork", OMP, "e.ompwork" },
    { "byomptasks", { "indxobj", "OMP_task" }, "#ompwork", OMP, "e.ompwork" },
    { "bysizes", { "indxobj", "Datasize" }, "#heapalloccnt", HEAP, HEAP_SORT },
    { "byallocations", { "memobj", "Allocations" }, "#+memory", NULL, NULL },
    { "bylocks", { "memobj", "Locks" }, "#syncn", SYNC, "e.sync" },
    { "byranks", { "indxobj", "MPI_Rank" }, "#mpicnt", MPI, "e.mpitime" },
    { "bycalls", { "indxobj", "MPI_Func" }, "#mpicnt", MPI, "e.mpitime" },
    { "bypeers", { "indxobj", "MPI_Peer" }, "#mpicnt", MPI, "e.mpitime" },
    { "bycomms", { "indxobj", "MPI_Comm" }, "#mpicnt", MPI, "e.mpitime" },
    { "bytags", { "indxobj", "MPI_Tag" }, "#mpicnt", MPI, "e.mpitime" },
    { "bypages", { "memobj", "Pages" }, "#+memory", NULL, NULL },
    { "bylines", { "memobj", "Lines" }, "#+memory", NULL, NULL },
    { "bynodes", { "memobj", "Nodes" }, "#+memory", NULL, NULL },
    { "data", { "data_objects" }, "#+memory", NULL, NULL },
};

static bool
has_regions(const struct session *session)
{
    struct record_source source;

    for (u32 i = 0; i < session->nexperiments; i++)
        if (experiment_source(session->experiment[i], FILE_regions, &source) == 0)
            return true;
    return false;
}

/* Have counters recorded addresses of data? */
static bool
has_addresses(const struct session *session)
{
    for (u32 i = 0; i < session->nexperiments; i++) {
        const struct counters *counters = &session->experiment[i]->counters;

        for (u32 k = 0; k < counters->count; k++)
            if (counters->row[k].name && counters->row[k].addresses &&
                counters->row[k].metric >= 0)
                return true;
    }
    return false;
}

/* Are there so many records that each further pass over them takes long? */
static bool
is_large(const struct session *session)
{
    struct record_source source;
    u64 bytes = 0;

    for (u32 i = 0; i < session->nexperiments; i++)
        for (u32 f = 0; f < FILE_COUNT; f++)
            if (experiment_source(session->experiment[i], f, &source) == 0)
                bytes += source.size;
    return bytes > INDEXED_MAX;
}

static bool
is_wanted(const struct report *r, const char *metric)
{
    static const char *const io[] = { "ioreadcnt", "iowritecnt", "ioothercnt",
                                      "iowaitcnt", "ioerrorcnt" };

    if (*metric == '#')
        return is_wanted(r, metric + 1);
    if (!*metric)
        return true;
    if (!strcmp(metric, "+memory"))
        return has_addresses(r->sh->session);
    if (!strcmp(metric, "+"))
        return r->sh->session->nexperiments > 1;
    if (!strcmp(metric, "+regions"))
        return has_regions(r->sh->session);
    for (u32 i = 0; i < r->nmetrics; i++) {
        const char *name = metrics[r->metric[i]].name;

        if (!strcmp(name, metric))
            return true;
        for (u32 k = 0; k < ER_COUNT(io) && !strcmp(metric, "+io"); k++)
            if (!strcmp(name, io[k]))
                return true;
    }
    return false;
}

/* Run -metrics or -sort before a table; if value is NULL, do nothing. */
static int
set(struct shell *sh, const char *command, const char *value)
{
    char name[16], text[128], *words[] = { name, text, NULL };

    if (!value)
        return 0;
    snprintf(name, sizeof(name), "%s", command);
    snprintf(text, sizeof(text), "%s", value);
    return run_words(sh, 2, words);
}

/*
 * Run a command, and return what it prints as json; NULL if it failed. The caller frees
 * it.
 */
static char *
run_json(struct shell *sh, const char *const *command)
{
    char name[3][24], *words[4] = { NULL }, *text = NULL;
    export_fn *export = sh->export;
    bool failed = sh->failed;
    u64 limit = sh->limit;
    FILE *out = sh->out;
    size_t size;
    int n = 0, err;

    for (; n < 3 && command[n]; n++) {
        snprintf(name[n], sizeof(name[n]), "%s", command[n]);
        words[n] = name[n];
    }
    sh->out = open_memstream(&text, &size);
    sh->export = export_json;
    sh->limit = command[2] && !strcmp(command[1], "functions") ? STEPS_MAX : ROWS_MAX;
    err = run_words(sh, n, words);
    fclose(sh->out);
    sh->out = out;
    sh->export = export;
    sh->limit = limit;
    sh->failed = failed;
    if (err || !size) {
        free(text);
        return NULL;
    }
    return text;
}

/* Like run_json(), with the columns and the order that the table has of its own. */
static char *
run_table(struct shell *sh, u32 i)
{
    struct mspec metrics_before = sh->metrics;
    struct order sort_before = sh->sort;
    bool own_metrics = sh->own_metrics, own_sort = sh->own_sort;
    char *json = NULL;

    if (!set(sh, "metrics", tables[i].metrics) && !set(sh, "sort", tables[i].sort))
        json = run_json(sh, tables[i].command);
    sh->metrics = metrics_before;
    sh->sort = sort_before;
    sh->own_metrics = own_metrics;
    sh->own_sort = own_sort;
    return json;
}

/* Write the options of er_print that print table i, without the first dash. */
static void
write_options(u32 i, FILE *f)
{
    if (tables[i].metrics)
        fprintf(f, "metrics %s -", tables[i].metrics);
    if (tables[i].sort)
        fprintf(f, "sort %s -", tables[i].sort);
    for (u32 k = 0; k < 3 && tables[i].command[k]; k++)
        fprintf(f, "%s%s", k ? " " : "", tables[i].command[k]);
}

void
reporttables_write(struct report *r)
{
    bool no_index = r->compared || is_large(r->sh->session);
    enum compare_mode compare = r->sh->compare;
    const char *sep = "";
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    putc('{', f);
    for (u32 i = 0; i < ER_COUNT(tables); i++) {
        bool omitted = no_index && *tables[i].metric == '#';
        char *json;

        if (!is_wanted(r, tables[i].metric))
            continue;
        json = omitted ? strdup("null") : run_table(r->sh, i);
        if (!json)
            continue;
        fprintf(f, "%s\"%s\":{\"ask\":\"-", sep, tables[i].view);
        write_options(i, f);
        fprintf(f, "\",\"got\":%s}", json);
        sep = ",\n";
        free(json);
    }
    fputs("}\n", f);
    fclose(f);
    r->sh->compare = compare;
    reportpack_write_text(text, size, "tables", r->f);
}
