/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/binding.h"

#include <string.h>

#include "print/base/array.h"

u32
binding_add(struct binding *b, struct bound_node node)
{
    struct bound_filter *f = b->out;

    if (array_room(&f->node, &f->room, f->count + 1, sizeof(node)) < 0) {
        b->no_memory = true;
        return 0;
    }
    f->node[f->count] = node;
    return f->count++;
}

u32
binding_missing(struct binding *b)
{
    return binding_add(b, (struct bound_node){ .kind = BOUND_MISSING });
}

int
binding_field(const struct binding *b, const struct token_desc *token)
{
    const char *source = token->source;
    struct token_source s;

    while (b->record && filter_token_source(&source, &s) == 0)
        if (!strcmp(s.record, b->record->name))
            return schema_find_number(b->record, s.field);
    return -1;
}
