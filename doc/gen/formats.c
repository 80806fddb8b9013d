/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the list of formats for the manual page of er_export, in mdoc. The page has it
 * between two lines of comment; a test compares.
 */
#include <ctype.h>
#include <stdio.h>

static const struct format {
    const char *name, *suffix, *doc;
} formats[] = {
#define OUT_FORMAT(name, word, suffix, flags, doc) { word, suffix, doc },
#include "print/out/formats.def"
};

int
main(void)
{
    printf(".Bl -tag -width 4n\n");
    for (unsigned i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        printf(".It Cm %s Pq Pa \\&%s\n%c%s.\n", formats[i].name, formats[i].suffix,
               toupper((unsigned char)formats[i].doc[0]), formats[i].doc + 1);
    printf(".El\n");
    return 0;
}
