/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "config.h"

int
main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "-V")) {
        printf("er_archive (%s) %s\n", PACKAGE_NAME, PACKAGE_VERSION);
        return 0;
    }
    fprintf(stderr, "er_archive: nothing but -V is understood yet\n");
    return 1;
}
