/* SPDX-License-Identifier: Apache-2.0 */
/* Finds CPython among the loaded objects, for sig/python.h. Normal context. */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_PYTHON_H
#define ERTOOLS_COLLECTOR_PRELOAD_PYTHON_H

#include <link.h>

#include "share/types.h"

/* Check whether the object contains CPython. Call for each new object. */
void python_find(const struct dl_phdr_info *info);

/* An object that was in [lo, hi) has been unloaded. */
void python_unload(u64 lo, u64 hi);

/* Log once which version of the interpreter there is, and whether it is supported. */
void python_log(void);
void python_log_again(void); /* a forked child has another log */

#endif
