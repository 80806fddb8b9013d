/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of Python modules, by the paths of their files. A path alone does not say which
 * of its directories are packages. So assume that all directories are below
 * site-packages, dist-packages and the standard library's directory; elsewhere, only
 * that of a file such as __init__.py.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_PYMODULE_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_PYMODULE_H

#include <stdbool.h>

struct log;

/*
 * The name of the module in that file, for the caller to free. NULL: the path is not
 * that of a module, or no memory.
 */
char *pymodule_name(const char *path);

/*
 * The path of the file from which a module of the standard library was frozen, for the
 * caller to free. name: "<frozen os>"; other: the path of another file of the library.
 * NULL: they are not, or no memory.
 */
char *pymodule_frozen(const char *name, const char *other);

/*
 * Does the command line name this file, given by its absolute path? Assume that it is
 * the script then.
 */
bool pymodule_is_script(const struct log *log, const char *path);

#endif
