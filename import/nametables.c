/* SPDX-License-Identifier: Apache-2.0 */
#include "import/nametables.h"

#include <stdlib.h>
#include <string.h>

#include "print/base/array.h"

struct row_key {
    const struct name_rows *rows;
    const u32 *row;
};

static bool
same_row(const void *context, u32 index)
{
    const struct row_key *key = context;

    return !memcmp(key->rows->row[index], key->row, sizeof(*key->rows->row));
}

u32
nametables_number(struct name_rows *rows, const u32 row[4])
{
    struct row_key key = { rows, row };
    u32 hash = (u32)hash_bytes(0, row, sizeof(*rows->row));
    u32 at = hash_find(&rows->hash, hash, same_row, &key);

    if (at != HASH_NONE)
        return at + 1;
    if (array_room(&rows->row, &rows->room, rows->count + 1, sizeof(*rows->row)) < 0 ||
        hash_add(&rows->hash, hash, rows->count) < 0)
        return 0;
    memcpy(rows->row[rows->count], row, sizeof(*rows->row));
    return ++rows->count;
}

static void
free_rows(struct name_rows *rows)
{
    free(rows->row);
    hash_free(&rows->hash);
}

void
nametables_free(struct names *n)
{
    if (!n)
        return;
    free(n->text);
    hash_free(&n->texts);
    free_rows(&n->func);
    free_rows(&n->place);
    free(n->root);
    free(n->insn);
    free(n->sorted);
    free(n->slot);
    free(n->by_name);
    free(n->object);
    free(n);
}
