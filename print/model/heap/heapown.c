/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/heap/heapown.h"

#include <errno.h>
#include <stdlib.h>

#include "print/model/symbols/frametext.h"
#include "print/model/symbols/function.h"
#include "print/model/symbols/functions.h"

/*
 * Add bytes to a function. Resolving names may have added functions, so enlarge the
 * array if the function is newer.
 */
static int
add(struct session *session, struct heapown *own, u32 function, u64 bytes)
{
    u32 count = function_count(session);
    u64 *grown;

    if (function >= own->count) {
        grown = reallocarray(own->peak_bytes, count, sizeof(*grown));
        if (!grown)
            return -ENOMEM;
        for (u32 i = own->count; i < count; i++)
            grown[i] = 0;
        own->peak_bytes = grown;
        own->count = count;
    }
    own->peak_bytes[function] += bytes;
    return 0;
}

int
heapown_get(struct session *session, const struct heap *heap, struct heapown *out)
{
    struct heapown own = { NULL, 0 };
    int ret = 0;

    for (u32 i = 0; i < heap->count && ret == 0; i++) {
        const struct heap_stack *s = &heap->stack[i];
        struct stack_frame frame;

        if (!s->sums.peak_bytes)
            continue;
        ret = frametext_owner(session, s->node, &frame);
        if (ret == 0 && hide_get_mode(session, frame.object) == OBJECT_HIDE)
            frame.func = functions_hidden(session, frame.object);
        if (ret == 0)
            ret = add(session, &own, frame.func, s->sums.peak_bytes);
        else if (ret == -ENOENT)
            ret = 0;
    }
    if (ret < 0)
        heapown_free(&own);
    else
        *out = own;
    return ret;
}

void
heapown_free(struct heapown *own)
{
    free(own->peak_bytes);
    *own = (struct heapown){ NULL, 0 };
}
