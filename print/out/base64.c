/* SPDX-License-Identifier: Apache-2.0 */
#include "print/out/base64.h"

#include "share/types.h"

void
base64_write(const unsigned char *data, size_t size, FILE *f)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    enum { AT_ONCE = 3 * 1024 };
    char text[AT_ONCE / 3 * 4];

    while (size) {
        size_t n = size < AT_ONCE ? size : AT_ONCE, k = 0;

        for (size_t i = 0; i < n; i += 3) {
            u32 v = (u32)data[i] << 16 | (u32)(i + 1 < n ? data[i + 1] : 0) << 8 |
                    (u32)(i + 2 < n ? data[i + 2] : 0);

            text[k++] = digits[v >> 18];
            text[k++] = digits[v >> 12 & 63];
            text[k++] = i + 1 < n ? digits[v >> 6 & 63] : '=';
            text[k++] = i + 2 < n ? digits[v & 63] : '=';
        }
        fwrite(text, 1, k, f);
        data += n;
        size -= n;
    }
}
