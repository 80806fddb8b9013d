/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes folded stacks: "main;work;inner 12", functions from the root on, and a whole
 * number in the metric's unit.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/out/outtext.h"
#include "print/out/outtree.h"

/* Replace the characters that separate functions and lines. */
static int
make_names(struct outtree *tree, char **name)
{
    for (u32 i = 0; i < tree->name.count; i++) {
        if (!tree->is_used[i])
            continue;
        name[i] = strdup(tree->name.text[i]);
        if (!name[i])
            return -ENOMEM;
        for (char *p = name[i]; (p = strpbrk(p, ";\n"));)
            *p = *p == ';' ? ':' : ' ';
    }
    return 0;
}

static void
put_stack(struct outtree *tree, char **name, u32 node, int64_t value,
          struct outtext *t)
{
    u32 depth = outtree_path(tree, node);

    for (u32 i = 0; i < depth; i++) {
        if (i)
            outtext_char(t, ';');
        outtext_text(t, name[tree->path[i]]);
    }
    outtext_char(t, ' ');
    outtext_number(t, (u64)value);
    outtext_char(t, '\n');
}

static void
put_stacks(struct out *out, struct outtree *tree, char **name)
{
    int64_t negative = 0;
    struct outtext t;

    outtext_start(&t, out->f);
    for (u32 i = outtree_next(tree, 0); i; i = outtree_next(tree, i)) {
        int64_t value = outtree_value(tree, i, out->metric);

        if (value > 0)
            put_stack(tree, name, i, value, &t);
        else
            negative += value;
    }
    outtext_flush(&t);
    out_warn_negative(out, out->metric, negative);
}

int
out_folded(struct out *out)
{
    struct outtree tree;
    int ret = outtree_open(out, &tree);
    char **name;

    if (ret < 0)
        return ret;
    name = calloc((size_t)tree.name.count + 1, sizeof(*name));
    ret = name ? make_names(&tree, name) : -ENOMEM;
    if (ret == 0)
        put_stacks(out, &tree, name);
    for (u32 i = 0; name && i < tree.name.count; i++)
        free(name[i]);
    free(name);
    outtree_close(&tree);
    return ret;
}
