/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O1 -rdynamic */
/* Has what CPython exports, of a version that nobody knows, and nothing behind it. */
#include <stdio.h>
#include <time.h>

const unsigned long Py_Version = 0x03ff00f0;
long _PyRuntime[512];
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
