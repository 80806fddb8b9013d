/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the words of filters for the manual page of er_print, in mdoc. The page has
 * them between two lines of comment; a test compares.
 */
#include <stdio.h>

static const struct {
    const char *name, *doc;
} tokens[] = {
#define FILTER_TOKEN(name, kind, source, doc) { #name, doc },
#include "print/tokens.def"
};

int
main(void)
{
    puts(".Bl -tag -width 10n -compact");
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++)
        printf(".It Cm %s\n%s\n", tokens[i].name, tokens[i].doc);
    puts(".El");
    return 0;
}
