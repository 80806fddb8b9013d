/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -rdynamic */
/* build: name=free -O1 -rdynamic -DFREE */
/*
 * Has what CPython exports, of a version that nobody knows, or of one that was built
 * without the global lock, and nothing behind it.
 */
#include <stdio.h>
#include <time.h>

#ifdef FREE
const unsigned long Py_Version = 0x030e00f0;
long _PyRuntime[512] = { 0x7970677562656478 /* xdebugpy */, 0x030e00f0, 1 };
#else
const unsigned long Py_Version = 0x03ff00f0;
long _PyRuntime[512];
#endif
long PyCode_Type[64];

int
_PyEval_EvalFrameDefault(void)
{
    volatile int n = 0;

    while (clock() < CLOCKS_PER_SEC / 20)
        n++;
    return n < 0;
}

int
main(void)
{
    int status = _PyEval_EvalFrameDefault();

    puts("done");
    return status;
}
