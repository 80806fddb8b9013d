/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the words that er_print refuses, and why, for its manual page, in mdoc. The
 * page has them between two lines of comment; a test compares.
 */
#include <stdio.h>

static const struct {
    const char *name, *why;
} words[] = {
#define ABSENT(name, kind, why) { name, why },
#include "print/absent.def"
};

int
main(void)
{
    puts(".Bl -tag -width 14n -compact");
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        printf(".It Cm %s\n%s\n", words[i].name, words[i].why);
    puts(".El");
    return 0;
}
