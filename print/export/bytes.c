/* SPDX-License-Identifier: Apache-2.0 */
#include "print/export/bytes.h"

#include <stdio.h>

#include "share/types.h"

bool
bytes_shown(u64 bytes, char *buf)
{
    static const char *const units[] = { "MiB", "GiB", "TiB", "PiB", "EiB" };
    double v = (double)bytes / (1 << 20);
    u32 i = 0;

    if (bytes < 1 << 20)
        return false;
    for (; v >= 1024 && i + 1 < ER_COUNT(units); i++)
        v /= 1024;
    snprintf(buf, BYTES_MAX, "%.1f %s", v, units[i]);
    return true;
}
