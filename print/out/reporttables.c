/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "print/cmd/run.h"
#include "print/out/reportdata.h"
#include "print/out/reportpack.h"

enum {
    ROWS_MAX = 2000, /* of a table; what is left out is said */
};

/* What er_print is asked for, and for which kind of data. */
static const struct {
    const char *view;
    const char *command[3];
    const char *metric; /* that must be there, or one of these: */
                        /* "" always, "+" several processes, "+io" any I/O, */
                        /* "+regions" regions that the program named */
} tables[] = {
    { "summary", { "summary" }, "" },
    { "header", { "header" }, "" },
    { "objects", { "objects" }, "" },
    { "threads", { "thread_list" }, "" },
    { "statistics", { "statistics" }, "" },
    { "heap", { "heap" }, "heapalloccnt" },
    { "heapstat", { "heapstat" }, "heapalloccnt" },
    { "heaptime", { "heapstat", "time", "512" }, "heapalloccnt" },
    { "leaks", { "leaks" }, "heapalloccnt" },
    { "allocs", { "allocs" }, "heapalloccnt" },
    { "locks", { "locks" }, "syncn" },
    { "lockobjects", { "locks", "objects" }, "syncn" },
    { "lockstacks", { "locks", "stacks" }, "syncn" },
    { "lockwaits", { "locks", "waits" }, "syncn" },
    { "deadlocks", { "deadlocks" }, "syncn" },
    { "ioactivity", { "ioactivity" }, "+io" },
    { "iodetail", { "iodetail" }, "+io" },
    { "iocallstack", { "iocallstack" }, "+io" },
    { "iostat", { "iostat" }, "+io" },
    { "calls", { "calls" }, "callcnt" },
    { "callsby", { "calls", "by", "text" }, "callcnt" },
    { "slowcalls", { "calls", "slow" }, "callcnt" },
    { "mpi", { "mpi" }, "mpicnt" },
    { "mpidetail", { "mpidetail" }, "mpicnt" },
    { "mpimatrix", { "mpimatrix" }, "mpicnt" },
    { "mpimessages", { "mpimatrix", "messages" }, "mpicnt" },
    { "mpiwait", { "mpiwait" }, "mpicnt" },
    { "mpidelay", { "mpidelay" }, "mpicnt" },
    { "mpicritical", { "mpicritical" }, "mpicnt" },
    { "mpibalance", { "mpibalance" }, "mpicnt" },
    { "regions", { "regions" }, "+regions" },
    { "instances", { "regions", "instances" }, "+regions" },
    { "costly", { "regions", "costly" }, "+regions" },
    { "omp", { "omp" }, "ompwork" },
    { "omploops", { "omp", "loops" }, "ompwork" },
    { "omptasks", { "omp", "tasks" }, "ompwork" },
    { "processes", { "processes" }, "+" },
    { "experiments", { "experiment_list" }, "" },
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

static bool
is_wanted(const struct report *r, const char *metric)
{
    static const char *const io[] = { "ioreadcnt", "iowritecnt", "ioothercnt",
                                      "iowaitcnt", "ioerrorcnt" };

    if (!*metric)
        return true;
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

/* What a command prints as json; NULL if it failed. The caller's to free. */
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
    sh->limit = ROWS_MAX;
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

void
reporttables_write(struct report *r)
{
    enum compare_mode compare = r->sh->compare;
    const char *sep = "";
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);

    putc('{', f);
    for (u32 i = 0; i < ER_COUNT(tables); i++) {
        char *json;

        if (!is_wanted(r, tables[i].metric))
            continue;
        json = run_json(r->sh, tables[i].command);
        if (!json)
            continue;
        fprintf(f, "%s\"%s\":{\"ask\":\"-", sep, tables[i].view);
        for (u32 k = 0; k < 3 && tables[i].command[k]; k++)
            fprintf(f, "%s%s", k ? " " : "", tables[i].command[k]);
        fprintf(f, "\",\"got\":%s}", json);
        sep = ",\n";
        free(json);
    }
    fputs("}\n", f);
    fclose(f);
    r->sh->compare = compare;
    pack_write_text(text, size, "tables", r->f);
}
