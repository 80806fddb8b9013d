/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a file to another by characters; getc_unlocked() and its like are inlined. */
/* build: -O2 -g */
#include <stdio.h>

int
main(int argc, char **argv)
{
    FILE *from = argc == 3 ? fopen(argv[1], "re") : NULL;
    FILE *to = argc == 3 ? fopen(argv[2], "we") : NULL;
    long n = 0;
    int c;

    if (!from || !to)
        return 1;
    while ((c = getc_unlocked(from)) != EOF) {
        (void)putc_unlocked(c, to);
        n++;
    }
    printf("%ld\n", n);
    return fclose(from) || fclose(to);
}
