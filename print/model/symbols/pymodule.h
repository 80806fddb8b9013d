/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Python modules, by the paths of their files. A path alone does not say where
 * a package begins: below site-packages, dist-packages and the standard library's
 * directory all directories are packages, elsewhere none is taken for one.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_PYMODULE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_PYMODULE_H

#include <stdbool.h>

struct log;

/* The module's name; NULL where the file is none of a module's, or there is no memory.
 * The caller's to free. */
char *pymodule_name(const char *path);

/*
 * The file that a module of the standard library was frozen from, "<frozen os>", by the
 * path of another file of that library. NULL: `name` is no frozen module, or `other` is
 * no file of the library. The caller's to free.
 */
char *pymodule_frozen(const char *name, const char *other);

/* Is this file, by its absolute path, the script that the command line names? */
bool pymodule_is_script(const struct log *log, const char *path);

#endif
