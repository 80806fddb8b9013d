/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Python modules, by the paths of their files. A path alone does not say which
 * of its directories are packages. So below site-packages, dist-packages and the
 * standard library's directory, all directories count as packages; elsewhere, none
 * does.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_PYMODULE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_PYMODULE_H

#include <stdbool.h>

struct log;

/*
 * The name of the module in that file, for the caller to free; NULL if the file is not
 * a module's, or there is no memory.
 */
char *pymodule_name(const char *path);

/*
 * The file that a module of the standard library was frozen from, "<frozen os>", by the
 * path of another file of that library. NULL: `name` is no frozen module, or `other` is
 * no file of the library. The caller's to free.
 */
char *pymodule_frozen(const char *name, const char *other);

/* Is this file, given by its absolute path, the script in the command line? */
bool pymodule_is_script(const struct log *log, const char *path);

#endif
