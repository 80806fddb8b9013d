/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of JavaScript functions, as V8 reports them to profilers: "JS:*name
 * /path/file.js:LINE:COLUMN". V8 compiles a function several times, each time with
 * another mark before its name.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_V8NAME_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_V8NAME_H

#include <stdbool.h>

#include "share/types.h"

/*
 * Shorten the name to what its author calls the function, the same for each
 * compilation; has_source: the place is known otherwise, so it is left out, too. A
 * function without a name becomes "anonymous:LINE:COLUMN". In minified code, where many
 * functions in a line have one name, the place stays. Other names stay as they are.
 */
void v8name_shorten(char *name, bool has_source);

#endif
