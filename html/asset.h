/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a report: the parts before and after its data. Constant data. */
#ifndef ERTOOLS_HTML_ASSET_H
#define ERTOOLS_HTML_ASSET_H

#include <stddef.h>

extern const char asset_head[], asset_head_end[], asset_tail[], asset_tail_end[];

static inline size_t
asset_head_size(void)
{
    return (size_t)(asset_head_end - asset_head);
}

static inline size_t
asset_tail_size(void)
{
    return (size_t)(asset_tail_end - asset_tail);
}

#endif
