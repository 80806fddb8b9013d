/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filters.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/lookup/regionlanes.h"

int
filter_open(struct session *session)
{
    session->filter = calloc(1, sizeof(*session->filter));
    return session->filter ? 0 : -ENOMEM;
}

void
filters_reset(struct filter *filter)
{
    filterstack_free(&filter->tests);
    filter->prepared = false;
    for (u32 i = 0; i < filter->nfiles; i++)
        filterfiles_free(&filter->files[i].files);
    free(filter->files);
    filter->files = NULL;
    filter->nfiles = 0;
    for (u32 i = 0; i < filter->ncalls; i++)
        filtercalls_free(&filter->calls[i].calls);
    free(filter->calls);
    filter->calls = NULL;
    filter->ncalls = 0;
    filterdata_free(&filter->data);
    if (filter->regions)
        regionlanes_free(filter->regions);
    free(filter->regions);
    filter->regions = NULL;
}

void
filter_close(struct filter *filter)
{
    if (!filter)
        return;
    filters_reset(filter);
    for (u32 i = 0; i < FILTER_PARTS; i++)
        filterparse_free(filter->part[i]);
    free(filter);
}

int
filters_prepare(struct session *session)
{
    struct filter *filter = session->filter;
    int ret;

    if (filter->prepared)
        return 0;
    ret = filterstack_make(session, filter->part, FILTER_PARTS, &filter->tests);
    filter->prepared = ret == 0;
    return ret;
}

const struct filter_files *
filters_files(struct session *session, u32 experiment)
{
    struct filter *filter = session->filter;
    struct loaded_files *files;

    if (!filter->files) {
        filter->files = calloc((size_t)session->nexperiments, sizeof(*filter->files));
        filter->nfiles = filter->files ? session->nexperiments : 0;
    }
    if (experiment >= filter->nfiles)
        return NULL;
    files = &filter->files[experiment];
    if (!files->loaded &&
        filterfiles_load(session->experiment[experiment], &files->files) < 0)
        return NULL;
    files->loaded = true;
    return &files->files;
}

const struct filter_calls *
filters_calls(struct session *session, u32 experiment)
{
    struct filter *filter = session->filter;
    struct loaded_calls *calls;

    if (!filter->calls) {
        filter->calls = calloc((size_t)session->nexperiments, sizeof(*filter->calls));
        filter->ncalls = filter->calls ? session->nexperiments : 0;
    }
    if (experiment >= filter->ncalls)
        return NULL;
    calls = &filter->calls[experiment];
    if (!calls->loaded && filtercalls_load(session, experiment, &calls->calls) < 0)
        return NULL;
    calls->loaded = true;
    return &calls->calls;
}

const struct region_lanes *
filters_regions(struct session *session)
{
    struct filter *filter = session->filter;

    if (filter->regions)
        return filter->regions;
    filter->regions = calloc(1, sizeof(*filter->regions));
    if (filter->regions && regionlanes_load(session, filter->regions) < 0) {
        free(filter->regions);
        filter->regions = NULL;
    }
    return filter->regions;
}

static char *
path_of(struct session *session, int64_t number, char between, const char *end)
{
    const struct region_lanes *lanes = filters_regions(session);

    if (!lanes || number <= 0 || number >= lanes->names.count)
        return NULL;
    return regions_path_by(&lanes->names, (u32)number, between, end);
}

char *
filter_region(struct session *session, int64_t number)
{
    return path_of(session, number, '/', "");
}

char *
filter_region_lines(struct session *session, int64_t number)
{
    return path_of(session, number, '\n', "\n");
}

int
filter_set(struct session *session, enum filter_part part, const char *text,
           struct filter_error *error)
{
    struct filter *filter = session->filter;
    struct region_lanes *regions = filter->regions;
    struct filter_expr *expr = NULL;
    int ret = text ? filterparse(session, text, &expr, error) : 0;

    if (ret < 0)
        return ret;
    /* Keep the regions: they do not depend on the filter. */
    filter->regions = NULL;
    filters_reset(filter);
    filter->regions = regions;
    if (session->forget_sums)
        session->forget_sums(session);
    filterparse_free(filter->part[part]);
    filter->part[part] = expr;
    return 0;
}

int
filter_check(const struct session *session, const char *text,
             struct filter_error *error)
{
    struct filter_expr *expr = NULL;
    int ret = filterparse(session, text, &expr, error);

    filterparse_free(expr);
    return ret;
}

const char *
filter_text(const struct session *session, enum filter_part part)
{
    const struct filter_expr *expr = session->filter->part[part];

    return expr ? expr->text : NULL;
}

bool
filter_is_set(const struct session *session)
{
    for (u32 i = 0; i < FILTER_PARTS; i++)
        if (session->filter->part[i])
            return true;
    return false;
}
