/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the ratios of metrics for the manual page of er_print, in mdoc. The page has
 * them between two lines of comment; a test compares.
 */
#include <stdio.h>

static const struct {
    const char *name, *over, *under, *doc;
} ratios[] = {
#define RATIO(name, title, over, under, scale, doc) { #name, over, under, doc },
#include "print/ratios.def"
};

int
main(void)
{
    puts(".Bl -tag -width 14n -compact");
    for (size_t i = 0; i < sizeof(ratios) / sizeof(ratios[0]); i++)
        printf(".It Cm %s\n%s:\n%s / %s\n", ratios[i].name, ratios[i].doc,
               ratios[i].over, ratios[i].under);
    puts(".El");
    return 0;
}
