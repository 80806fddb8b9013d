/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the tables of doc/object-file.md from archive/object/objrows.def. The page has
 * them between two lines of comment; a test compares.
 */
#include <stdio.h>

#include "archive/object/objrows.h"

int
main(void)
{
#define OBJ_TABLE(row, number, doc)                                                    \
    printf("\n### `%s`: table %d, rows of %zu bytes\n\n%s.\n\n"                        \
           "| offset | field | type | meaning |\n| --- | --- | --- | --- |\n",         \
           #row, number, sizeof(struct obj_##row), doc);
#define OBJ_FIELD(row, field, ctype, doc)                                              \
    printf("| %zu | `%s` | %s | %s |\n", offsetof(struct obj_##row, field), #field,    \
           #ctype, doc);
#define OBJ_END(row)
#include "archive/object/objrows.def"
    return 0;
}
