/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what an experiment has when it is first asked for. */
#include "print/load/experiment.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "print/load/integrity.h"

/* The ticks between which the kernel sampled system time; empty if it did not. */
static struct reconcile_span
kernel_span(const struct experiment *e)
{
    const struct log_event_row *began = log_find_event(&e->log, "kernel");
    const struct log_event_row *ended = log_find_event(&e->log, "kernel_ended");
    struct reconcile_span span = { 0, 0 };

    if (began) {
        span.from = log_event_number(began, "tick", 0);
        span.to = ended ? log_event_number(ended, "tick", 0) : UINT64_MAX;
    }
    return span;
}

int
experiment_source(struct experiment *e, enum er_file file, struct record_source *out)
{
    const struct datafile *data = &e->file[file];

    if (!data->data || !data->schema || data->schema->layout != LAYOUT_CHUNKS)
        return -ENOENT;
    integrity_check_chunks(e, file);
    *out = (struct record_source){ data->data, data->size, data->schema, data->path,
                                   &e->problems, data->is_short,
                                   e->nodes.times ? &e->nodes : NULL, NULL, NULL };
    out->reconcile =
        reconcile_once(&e->reconcile, out, e->threads.id_max,
                       e->final ? e->user + e->system - e->exit_user - e->exit_system
                                : UINT64_MAX,
                       kernel_span(e));
    out->collected = collected_once(&e->collected, out);
    return 0;
}

/* Must data of the file overview be read now? Then *source is set. */
static bool
must_read(struct experiment *e, bool have, struct record_source *source)
{
    return !have && experiment_source(e, FILE_overview, source) == 0;
}

int
experiment_samples(struct experiment *e)
{
    struct record_source source;
    int ret = 0;

    if (must_read(e, e->have_samples, &source))
        ret = samples_read(&e->samples, &source);
    e->have_samples = ret == 0;
    return ret;
}

int
experiment_totals(struct experiment *e)
{
    struct record_source source;
    int ret = 0;

    if (must_read(e, e->have_totals, &source))
        ret = counters_totals(&e->counters, &source);
    e->have_totals = ret == 0;
    return ret;
}

int
experiment_codes(struct experiment *e)
{
    struct record_source source;
    int ret = 0;

    if (must_read(e, e->have_codes, &source))
        ret = codes_read(&e->codes, &source);
    e->have_codes = ret == 0;
    return ret;
}

int
experiment_names(struct experiment *e)
{
    struct record_source source;
    int ret = 0;

    if (must_read(e, e->have_names, &source))
        ret = names_read(&e->names, &source);
    e->have_names = ret == 0;
    return ret;
}

const struct archived *
experiment_archived(struct experiment *e, bool again)
{
    struct founder *f = e->founder;
    char *name;
    int dir;

    if (f->have_archived && !again)
        return &f->archived;
    f->have_archived = true;
    archived_free(&f->archived);
    name = experiment_file_path(e, "archives/index.xml");
    dir = founder_open(f);
    if (name && dir >= 0)
        archived_read(&f->archived, dir, name, &e->problems);
    if (dir >= 0)
        close(dir);
    free(name);
    return &f->archived;
}

const struct labels *
experiment_labels(struct experiment *e, bool again)
{
    struct founder *f = e->founder;
    char *name;
    int dir;

    if (f->have_labels && !again)
        return &f->labels;
    f->have_labels = true;
    labels_free(&f->labels);
    name = experiment_file_path(e, LABELS_FILE);
    dir = founder_open(f);
    if (name && dir >= 0)
        labels_read(&f->labels, dir, name, &e->problems);
    if (dir >= 0)
        close(dir);
    free(name);
    return &f->labels;
}

