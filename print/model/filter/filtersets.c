/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/filtersets.h"

#include <stdlib.h>
#include <string.h>

#include "print/model/filter/filters.h"
#include "print/model/lookup/regionlanes.h"

u32
filtersets_descriptor(struct binding *b, const struct token_desc *token)
{
    int field = binding_field(b, token);

    if (field < 0)
        return binding_missing(b);
    b->out->files = filters_files(b->session, b->out->index);
    if (!b->out->files)
        b->no_memory = true;
    return binding_add(b, (struct bound_node){ .kind = BOUND_FD, .a = (u32)field });
}

/*
 * Add the set of files whose name, or file system, matches the pattern. Returns the
 * set's number; 0 and no_memory if memory runs out.
 */
static u32
add_set(struct binding *b, const regex_t *pattern, bool system)
{
    struct bound_filter *f = b->out;
    unsigned char **grown = realloc(f->set, (f->sets + 1) * sizeof(*grown));

    f->set = grown ? grown : f->set;
    f->files = filters_files(b->session, f->index);
    if (grown && f->files)
        f->set[f->sets] = filterfiles_match(f->files, pattern, system);
    if (!grown || !f->files || !f->set[f->sets]) {
        b->no_memory = true;
        return 0;
    }
    return f->sets++;
}

u32
filtersets_files(struct binding *b, const struct filter_node *n)
{
    const struct token_desc *token = &filter_tokens[n->token];
    bool numbers = n->op == OP_FILEIOVFD;
    int field = numbers ? 0 : binding_field(b, token);
    struct bound_node node = { .kind = numbers ? BOUND_FILES : BOUND_FILE,
                               .value = n->number };

    if (field < 0)
        return binding_missing(b);
    node.a = (u32)field;
    node.b = add_set(b, &b->expr->pattern[n->pattern],
                     !numbers && token->kind == TOKEN_IS_FILE_SYSTEM);
    return b->no_memory ? 0 : binding_add(b, node);
}

/* Load the data objects that the filter needs: filterdata_load(). False: it failed. */
static bool
load_data(struct binding *b, bool blocks)
{
    struct filter_data *data = &b->session->filter->data;

    if (filterdata_load(b->session, data, b->out->index, blocks) < 0)
        b->no_memory = true;
    b->out->data = data;
    return !b->no_memory;
}

u32
filtersets_data(struct binding *b, const struct token_desc *token)
{
    bool block = b->record && !strcmp(b->record->name, "block");
    struct bound_node node = { .kind = BOUND_DATA, .value = block };
    int addr = binding_field(b, token), time, stack;

    if (addr < 0 || !load_data(b, block))
        return binding_missing(b);
    time = schema_find_number(b->record, block ? "type" : "time");
    stack = schema_find_number(b->record, "stack");
    if (time < 0)
        return binding_missing(b);
    node.a = (u32)(block ? time : addr);
    node.b = (u32)time;
    node.c = (u32)(stack + 1);
    return binding_add(b, node);
}

/*
 * The set of data objects is computed only if records of this kind have data objects.
 */
u32
filtersets_names(struct binding *b, const struct filter_node *n)
{
    u32 data = filtersets_data(b, &filter_tokens[TOKEN_DOBJ]);
    struct bound_filter *f = b->out;
    struct filter_data_set *grown;
    struct bound_node node;

    if (b->no_memory || f->node[data].kind == BOUND_MISSING)
        return data;
    grown = realloc(f->data_set, (f->data_sets + 1) * sizeof(*grown));
    f->data_set = grown ? grown : f->data_set;
    if (!grown || filterdata_match(b->session, f->data, &b->expr->pattern[n->pattern],
                                   &grown[f->data_sets]) < 0) {
        b->no_memory = true;
        return 0;
    }
    node = (struct bound_node){ .kind = BOUND_DATASET, .b = f->data_sets++ };
    node.b = binding_add(b, node);
    if (n->type == TYPE_NUMBERS)
        return node.b;
    node.kind = BOUND_OP;
    node.op = OP_SOME_IN;
    node.a = data;
    return binding_add(b, node);
}

u32
filtersets_region(struct binding *b, enum bound_op kind)
{
    bool span = b->record && !strcmp(b->record->name, "span");
    bool sum = b->record && (!strcmp(b->record->name, "preg") ||
                             !strcmp(b->record->name, "otask") ||
                             !strcmp(b->record->name, "oloop"));
    int time = b->record ? schema_find_number(b->record, "time") : -1;
    struct bound_node node = { .kind = kind, .a = (u32)time };

    if (time < 0 || b->timeless || sum)
        return binding_missing(b);
    b->out->regions = filters_regions(b->session);
    if (!b->out->regions)
        b->no_memory = true;
    if (span)
        node.c = (u32)(schema_find_number(b->record, "path") + 1);
    return binding_add(b, node);
}

/*
 * The set of regions whose name or path matches, and all regions within them: 0 or 1 by
 * region, for free(). NULL = no memory.
 */
static unsigned char *
match_regions(const struct regions *all, const regex_t *pattern)
{
    unsigned char *set = calloc((size_t)all->count + 1, 1);

    for (u32 i = 1; i < all->count && set; i++) {
        const struct region *r = &all->region[i];
        char *path;

        set[i] = set[r->parent] || !regexec(pattern, r->name, 0, NULL, 0);
        if (set[i])
            continue;
        path = regions_path(all, i);
        set[i] = path && !regexec(pattern, path, 0, NULL, 0);
        free(path);
    }
    return set;
}

/*
 * Remove the regions from the set that are in it only because an outer one matches.
 */
static void
leave_inner(const struct regions *all, unsigned char *set, const regex_t *pattern)
{
    for (u32 i = all->count; i-- > 1;) {
        char *path = set[i] && set[all->region[i].parent] ? regions_path(all, i) : NULL;

        if (path)
            set[i] = !regexec(pattern, all->region[i].name, 0, NULL, 0) ||
                     !regexec(pattern, path, 0, NULL, 0);
        free(path);
    }
}

u32
filtersets_region_names(struct binding *b, const struct filter_node *n)
{
    bool time = n->op == OP_REGIONTIME;
    u32 at = filtersets_region(b, time ? BOUND_REGION_TIME : BOUND_REGION_IN);
    struct bound_filter *f = b->out;
    const regex_t *pattern = &b->expr->pattern[n->pattern];
    unsigned char **grown;

    if (b->no_memory || f->node[at].kind == BOUND_MISSING)
        return at;
    grown = realloc(f->region_set, (f->region_sets + 1) * sizeof(*grown));
    f->region_set = grown ? grown : f->region_set;
    if (grown)
        grown[f->region_sets] = match_regions(&f->regions->names, pattern);
    if (!grown || !grown[f->region_sets]) {
        b->no_memory = true;
        return 0;
    }
    if (time)
        leave_inner(&f->regions->names, grown[f->region_sets], pattern);
    f->node[at].value = n->number;
    f->node[at].b = f->region_sets++ + time;
    return at;
}

/*
 * Add the set for a node that asks for calls. Returns the set's number; 0 and no_memory
 * if memory runs out.
 */
static u32
add_call_set(struct binding *b, const struct filter_node *n)
{
    struct bound_filter *f = b->out;
    struct filter_call_set *grown =
        realloc(f->call_set, (f->call_sets + 1) * sizeof(*grown));
    const regex_t *pattern = b->expr->pattern;
    int ret = -1;

    f->call_set = grown ? grown : f->call_set;
    f->calls = filters_calls(b->session, f->index);
    if (grown && f->calls) {
        grown += f->call_sets;
        *grown = (struct filter_call_set){ 0 };
        if (n->op == OP_CALLARG)
            ret = filtercalls_argument(f->calls, b->expr->text + n->number, n->a,
                                       n->b ? &pattern[n->b - 1] : NULL, grown);
        else
            ret = filtercalls_named(f->calls, &pattern[n->pattern], grown);
    }
    if (ret < 0) {
        b->no_memory = true;
        return 0;
    }
    return f->call_sets++;
}

u32
filtersets_call(struct binding *b, const struct filter_node *n)
{
    struct bound_node node = { .kind = BOUND_CALL, .value = n->number };
    int callee = b->record ? schema_find_number(b->record, "function") : -1;
    int values = b->record ? schema_find_field(b->record, "values") : -1;

    if (callee < 0 || values < 0 || binding_field(b, &filter_tokens[TOKEN_CALL]) < 0 ||
        b->record->field[values].encoding != ENC_STR)
        return binding_missing(b);
    if (n->op == OP_CALLARG) {
        node.kind = n->b ? BOUND_CALLTEXT : BOUND_CALLARG;
        node.value = n->c;
    }
    node.a = (u32)callee;
    node.c = (u32)values;
    node.b = add_call_set(b, n);
    b->out->call_end = schema_find_number(b->record, "end");
    return b->no_memory ? 0 : binding_add(b, node);
}
