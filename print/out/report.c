/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "html/asset.h"
#include "print/cmd/comparison.h"
#include "print/cmd/list.h"
#include "print/export/value.h"
#include "print/model/lookup/ranks.h"
#include "print/model/views/noise.h"
#include "print/out/reportdata.h"
#include "print/out/reportpack.h"

static void
write_metrics(const struct report *r, FILE *f)
{
    static const char *const units[] = { "ns", "count", "byte", "ratio" };

    fputs("\"metrics\":[", f);
    for (u32 i = 0; i < r->nmetrics; i++) {
        const struct metric_desc *d = &metrics[r->metric[i]];

        fprintf(f, "%s{\"name\":", i ? ",\n" : "");
        reportpack_string(d->name, f);
        fputs(",\"title\":", f);
        reportpack_string(d->title, f);
        fputs(",\"doc\":", f);
        reportpack_string(d->doc, f);
        fprintf(f, ",\"unit\":\"%s\",\"noisy\":%d", units[d->unit],
                noise_concerns(r->metric[i]));
        if (metric_is_ratio(r->metric[i])) {
            struct metric_parts parts = metric_parts(r->metric[i]);

            fputs(",\"over\":", f);
            reportpack_string(metrics[parts.over].name, f);
            fputs(",\"under\":", f);
            reportpack_string(metrics[parts.under].name, f);
            fprintf(f, ",\"scale\":%g", parts.scale);
        }
        putc('}', f);
    }
    fputs("],\n", f);
}

/* Write the settings that er_print has at its start: metrics, order, columns. */
static void
write_settings(const struct report *r, FILE *f)
{
    static const char *const flavours[] = { "e", "i", "a" };
    const struct shell *sh = r->sh;
    char spec[1024];

    mspec_format(&sh->metrics, spec, sizeof(spec));
    fputs("\"spec\":", f);
    reportpack_string(spec, f);
    mspec_format_sort(&sh->sort, spec, sizeof(spec));
    fputs(",\"sortspec\":", f);
    reportpack_string(spec, f);
    fputs(",\"columns\":[", f);
    for (u32 i = 0, n = 0; i < sh->metrics.n; i++) {
        const struct mspec_item *item = &sh->metrics.item[i];

        if (item->kind != MSPEC_METRIC || item->visibility == '!')
            continue;
        fprintf(f, "%s[", n++ ? "," : "");
        reportpack_string(metrics[item->metric].name, f);
        fprintf(f, ",\"%s\",\"%c\"]", flavours[item->flavour], item->visibility);
    }
    fputs("],\"metric\":", f);
    reportpack_string(metrics[shell_metric(sh)].name, f);
    fprintf(f, ",\"flavour\":\"%s\",\n", flavours[sh->sort.flavour]);
}

static void
write_experiment(const struct report *r, u32 i, int64_t rank, FILE *f)
{
    static const char *const states[] = { "complete", "live", "killed", "alone" };
    const struct experiment *e = r->sh->session->experiment[i];
    u64 ns = experiment_duration(e);

    fputs("{\"path\":", f);
    reportpack_string(e->path, f);
    fputs(",\"name\":", f);
    reportpack_string(experiment_base(e), f);
    fputs(",\"command\":[", f);
    for (u32 k = 0; k < e->log.nargs; k++) {
        if (k)
            putc(',', f);
        reportpack_string(e->log.arg[k], f);
    }
    fprintf(f, "],\"rank\":%lld,\"pid\":%u,\"group\":%u,\"state\":\"%s\","
               "\"wall\":%llu,\"from\":%llu,\"ns\":%llu,\"thread\":%u,\"problems\":[",
            (long long)rank, e->pid, e->group, states[e->state],
            (unsigned long long)e->start_wall,
            (unsigned long long)experiment_since(e, e->start_mono),
            (unsigned long long)ns,
            r->cells.first[i]);
    for (u32 k = 0; k < e->problems.count; k++) {
        if (k)
            putc(',', f);
        reportpack_string(e->problems.text[k], f);
    }
    fputs("]}", f);
}

static void
write_threads(const struct report *r, FILE *f)
{
    const struct session *s = r->sh->session;

    fputs("\"threads\":[", f);
    for (u32 i = 0; i < s->nexperiments; i++) {
        const struct experiment *e = s->experiment[i];

        fprintf(f, "%s[%u,0,0,\"\",0,0]", i ? ",\n" : "", i);
        for (u32 k = 0; k < e->threads.count; k++) {
            const struct thread_row *t = &e->threads.row[k];

            fprintf(f, ",[%u,%u,%u,", i, t->id, t->tid);
            reportpack_string(t->name, f);
            fprintf(f, ",%llu,%llu]",
                    (unsigned long long)experiment_since(e, t->birth),
                    (unsigned long long)experiment_since(e, t->death ? t->death
                                                                     : e->end_mono));
        }
    }
    fputs("],\n", f);
}

static int
write_experiments(const struct report *r, FILE *f)
{
    const struct session *s = r->sh->session;
    int64_t *rank = malloc(s->nexperiments * sizeof(*rank));
    struct ranks ranks = { 0 };
    int ret = rank ? ranks_of(s, &ranks) : -ENOMEM;

    for (u32 i = 0; i < s->nexperiments && ret == 0; i++)
        rank[i] = -1;
    for (u32 i = 0; i < ranks.count; i++)
        rank[ranks.rank[i].experiment] = ranks.rank[i].rank;
    fputs("\"experiments\":[", f);
    for (u32 i = 0; i < s->nexperiments && ret == 0; i++) {
        fputs(i ? ",\n" : "", f);
        write_experiment(r, i, rank[i], f);
    }
    fputs("],\n", f);
    ranks_free(&ranks);
    free(rank);
    return ret;
}

/*
 * Write the length of the steps of time that can be selected. apart: the cells with
 * these steps are not divided by thread, since those by thread have a single step.
 */
static void
write_step(const struct report *r, FILE *f)
{
    const struct cells *cells = &r->cells;
    bool apart = reportdata_apart(r);
    u32 shift = apart ? cells->times.shift : cells->set.shift;

    fprintf(f, "\"step\":{\"ns\":%llu,\"finest\":%llu,\"count\":%u,\"timeless\":%d,"
               "\"apart\":%s},\n",
            (unsigned long long)cells->width << shift,
            (unsigned long long)cells->width, ((CELLS_STEPS - 1) >> shift) + 1,
            CELLS_TIMELESS, apart ? "true" : "false");
}

static int
write_meta(struct report *r)
{
    struct noise noise = { 0 };
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    int ret = r->compared ? noise_measure(r->sh->session, &noise) : 0;

    fprintf(f, "{\"version\":\"%s\",\"compared\":%s,\n", PACKAGE_VERSION,
            r->compared ? "true" : "false");
    write_metrics(r, f);
    write_settings(r, f);
    if (ret == 0)
        ret = write_experiments(r, f);
    write_threads(r, f);
    fprintf(f, "\"noise\":{\"user\":%.0f,\"system\":%.0f},\n", noise.user,
            noise.system);
    write_step(r, f);
    fprintf(f, "\"lane\":{\"ns\":%llu,\"count\":%u}}\n",
            (unsigned long long)r->cells.width << r->cells.lanes.shift,
            r->cells.lanes.steps);
    fclose(f);
    reportpack_write_text(text, size, "meta", r->f);
    return ret;
}

int
report_write(struct shell *sh, const struct report_limits *limits, FILE *f)
{
    struct report r = { .sh = sh, .limits = limits, .f = f };
    int ret;

    r.compared = comparison_is_on(sh);
    ret = reportdata_open(&r);
    if (ret == 0) {
        fwrite(asset_head, 1, asset_head_size(), f);
        ret = write_meta(&r);
    }
    if (ret == 0) {
        reportdata_names(&r);
        reportdata_stacks(&r);
        reportdata_lanes(&r);
        reportdata_cpus(&r);
        reportdata_cells(&r);
        ret = reportcode_write(&r);
    }
    if (ret == 0) {
        reporttables_write(&r);
        fwrite(asset_tail, 1, asset_tail_size(), f);
    }
    reportdata_close(&r);
    return ret;
}
