/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/views/cellwidth.h"

u64
cellwidth(u64 ns)
{
    static const u32 digits[] = { 10000, 12500, 16000, 20000, 25000, 31250, 40000,
                                  50000, 62500, 80000, 100000 };
    u64 unit = 1;

    while (unit <= ns / 10)
        unit *= 10;
    for (u32 i = 0;; i++) {
        u64 width = unit * digits[i] / 10000;

        /*
         * The last digit, 10, gives 10 * unit, which is more than ns; so this returns.
         */
        if (ns <= width && unit * digits[i] % 10000 == 0)
            return width;
    }
}
