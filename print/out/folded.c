/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes folded stacks: "main;work;inner 12", functions from the root on, and a whole
 * number in the metric's unit.
 */
#include <inttypes.h>

#include "print/out/outtree.h"

/* Write a name without the characters that separate functions and lines. */
static void
put_name(const char *name, FILE *f)
{
    for (; *name; name++)
        if (*name == ';' || *name == '\n')
            putc(*name == ';' ? ':' : ' ', f);
        else
            putc(*name, f);
}

static void
put_stack(struct outtree *tree, u32 node, int64_t value, FILE *f)
{
    u32 depth = outtree_path(tree, node);

    for (u32 i = 0; i < depth; i++) {
        if (i)
            putc(';', f);
        put_name(tree->name.text[tree->path[i]], f);
    }
    fprintf(f, " %" PRId64 "\n", value);
}

int
out_folded(struct out *out)
{
    struct outtree tree;
    int64_t negative = 0;
    int ret = outtree_open(out, &tree);

    if (ret < 0)
        return ret;
    for (u32 i = outtree_next(&tree, 0); i; i = outtree_next(&tree, i)) {
        int64_t value = outtree_value(&tree, i, out->metric);

        if (value > 0)
            put_stack(&tree, i, value, out->f);
        else
            negative += value;
    }
    out_tell_negative(out, out->metric, negative);
    outtree_close(&tree);
    return 0;
}
