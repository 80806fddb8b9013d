/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A library for Python's ctypes. It has a function with a name like those of the
 * instructions in a CPython whose interpreter uses tail calls. All of these run within
 * a call of _PyEval_EvalFrameDefault, so none is a call of the interpreter.
 */
/* build: out=libpython-tail.so -O1 -g -fPIC -shared */
#include <stdlib.h>

int _TAIL_CALL_ORDER(int *value, size_t n, int (*compare)(const void *, const void *));

int
_TAIL_CALL_ORDER(int *value, size_t n, int (*compare)(const void *, const void *))
{
    qsort(value, n, sizeof(*value), compare);
    return value[0];
}
