/* SPDX-License-Identifier: Apache-2.0 */
/* An attribute of an XML element: its name and its value, both unescaped. */
#ifndef ERTOOLS_PRINT_LOAD_PAIR_H
#define ERTOOLS_PRINT_LOAD_PAIR_H

struct log_pair {
    const char *name;
    const char *value;
};

#endif
