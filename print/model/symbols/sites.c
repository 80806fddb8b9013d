/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/sites.h"

#include <errno.h>
#include <string.h>

#include "print/base/array.h"
#include "print/model/symbols/files.h"
#include "print/model/symbols/functions.h"
#include "print/model/symbols/interp.h"
#include "print/model/symbols/machine.h"
#include "print/model/symbols/object.h"

struct key {
    const struct sites *sites;
    u64 vaddr;
    u32 object;
    bool call;
};

static bool
same_site(const void *context, u32 index)
{
    const struct key *key = context;
    const struct site *site = &key->sites->site[index];

    return site->vaddr == key->vaddr && site->object == key->object &&
           site->call == key->call;
}

int
sites_of(struct sites *sites, u32 object, u64 vaddr, bool call, u32 *site)
{
    struct key key = { sites, vaddr, object, call };
    u32 value = (u32)hash_mix(vaddr * 2 + call + ((u64)object << 48));
    u32 at = hash_find(&sites->hash, value, same_site, &key);

    if (at == HASH_NONE) {
        struct site new = { .object = object, .vaddr = vaddr, .call = call };

        if (array_room(&sites->site, &sites->room, sites->count + 1, sizeof(new)) < 0 ||
            hash_add(&sites->hash, value, sites->count) < 0)
            return -ENOMEM;
        at = sites->count++;
        sites->site[at] = new;
    }
    *site = at;
    return 0;
}

int
sites_open(struct sites *sites)
{
    u32 site;

    for (u32 i = 0; i < FUNC_PSEUDO_COUNT; i++)
        if (sites_of(sites, 0, i, false, &site) < 0)
            return -ENOMEM;
    return 0;
}

void
sites_close(struct sites *sites)
{
    free(sites->site);
    free(sites->frame);
    hash_free(&sites->hash);
    memset(sites, 0, sizeof(*sites));
}

/* The function out of line that contains a site's code. */
static u32
bare_function(struct session *session, const struct sites *sites, u32 site)
{
    const struct site *s = &sites->site[site];

    if (site < FUNC_PSEUDO_COUNT)
        return site;
    return s->object ? function_at(session, s->object, s->vaddr) : FUNC_UNKNOWN;
}

/*
 * Is the site the first instruction of a function? Probes of the function hit there,
 * and calls of it begin there: let the site count as the function itself, whatever was
 * inlined there.
 */
static bool
is_entry(struct session *session, const struct sites *sites, u32 site)
{
    const struct site *s = &sites->site[site];
    struct function_info f;

    function_get(session, bare_function(session, sites, site), &f);
    return !s->call && f.addr && f.addr == s->vaddr;
}

static int
make_frames(struct session *session, struct sites *sites, u32 site)
{
    struct objfile_inline chain[SITE_INLINES_MAX];
    struct site *s = &sites->site[site];
    const struct objfile *file = object_file(session, s->object);
    u32 depth = file ? objfile_inlines(file, s->vaddr, chain, SITE_INLINES_MAX) : 0;
    struct site_frame *frame;

    if (depth > SITE_INLINES_MAX)
        depth = SITE_INLINES_MAX;
    if (depth && is_entry(session, sites, site))
        depth = 0;
    if (array_room(&sites->frame, &sites->frame_room, sites->nframes + depth + 1,
                   sizeof(*frame)) < 0)
        return -ENOMEM;
    frame = &sites->frame[sites->nframes];
    memset(frame, 0, (depth + 1) * sizeof(*frame));
    frame[0].func = bare_function(session, sites, site);
    for (u32 i = 0; i < depth; i++)
        frame[i + 1].func = functions_of_decl(session, s->object, chain[i].func);
    s->first = sites->nframes;
    s->depth = depth + 1;
    s->has_frames = true;
    sites->nframes += depth + 1;
    return 0;
}

static void
make_lines(struct session *session, struct sites *sites, u32 site)
{
    struct objfile_inline chain[SITE_INLINES_MAX];
    struct site *s = &sites->site[site];
    struct site_frame *frame = &sites->frame[s->first];
    const struct objfile *file = object_file(session, s->object);
    struct objfile_line line;

    s->has_lines = true;
    if (interp_is_object(session, s->object)) {
        frame->file = interp_file(session, s->object);
        frame->line = interp_line(session, s->vaddr);
    }
    if (!file)
        return;
    if (objfile_inlines(file, s->vaddr, chain, SITE_INLINES_MAX) && s->depth == 1) {
        frame->file = files_of_object(session, s->object, chain[0].call_file);
        frame->line = chain[0].call_line;
        return;
    }
    for (u32 i = 0; i + 1 < s->depth; i++) {
        frame[i].file = files_of_object(session, s->object, chain[i].call_file);
        frame[i].line = chain[i].call_line;
    }
    if (objfile_line(file, s->vaddr, &line) < 0)
        return;
    frame[s->depth - 1].file = files_of_object(session, s->object, line.file);
    frame[s->depth - 1].line = line.file ? line.line : 0;
}

int
sites_frames(struct session *session, struct sites *sites, u32 site,
             const struct site_frame **frames, u32 *depth)
{
    if (!sites->site[site].has_frames && make_frames(session, sites, site) < 0)
        return -ENOMEM;
    *frames = &sites->frame[sites->site[site].first];
    *depth = sites->site[site].depth;
    return 0;
}

int
sites_lines(struct session *session, struct sites *sites, u32 site,
            const struct site_frame **frames, u32 *depth)
{
    if (sites_frames(session, sites, site, frames, depth) < 0)
        return -ENOMEM;
    if (!sites->site[site].has_lines)
        make_lines(session, sites, site);
    return 0;
}

static int
by_address(const void *a, const void *b, void *context)
{
    const struct sites *sites = context;
    const struct site *left = &sites->site[*(const u32 *)a];
    const struct site *right = &sites->site[*(const u32 *)b];

    if (left->object != right->object)
        return left->object < right->object ? -1 : 1;
    return left->vaddr < right->vaddr ? -1 : left->vaddr > right->vaddr;
}

/*
 * Set `start` of all sites to vaddr. List calls, whose instruction's start must still
 * be found, by object and address; returns their number.
 */
static u32
sites_wanted(struct session *session, struct sites *sites, u32 *wanted)
{
    u32 count = 0;

    for (u32 i = 0; i < sites->count; i++) {
        struct site *site = &sites->site[i];

        if (site->has_start)
            continue;
        site->has_start = true;
        site->start = site->vaddr;
        if (site->call && object_file(session, site->object))
            wanted[count++] = i;
    }
    if (count)
        qsort_r(wanted, count, sizeof(*wanted), by_address, sites);
    return count;
}

int
sites_starts(struct session *session, struct sites *sites)
{
    u32 *wanted = malloc(((size_t)sites->count + 1) * sizeof(*wanted));
    struct machine_run run = { 0 };
    u32 count;

    if (!wanted)
        return -ENOMEM;
    count = sites_wanted(session, sites, wanted);
    for (u32 i = 0; i < count; i++) {
        struct site *site = &sites->site[wanted[i]];
        const struct objfile *file = object_file(session, site->object);

        if (file != run.file) {
            machine_run_close(&run);
            run = (struct machine_run){ .file = file };
        }
        site->start = machine_start(&run, site->vaddr);
    }
    machine_run_close(&run);
    free(wanted);
    return 0;
}
