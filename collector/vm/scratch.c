/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/scratch.h"

#include <string.h>
#include <sys/mman.h>

#include "collector/sig/sys.h"

enum {
    BYTES = 16 << 20, /* address space; pages are allocated as they are used */
    KEPT = 256 << 10, /* this much of a pool is cleared and used again */
    ALIGN = 16,
};

static struct scratch *spare; /* a closed pool for the next scratch_open(), or NULL */

struct scratch *
scratch_open(void)
{
    struct scratch *s = __atomic_exchange_n(&spare, NULL, __ATOMIC_ACQUIRE);

    if (s)
        return s;
    s = sys_map(BYTES);
    if (!s)
        return NULL;
    s->used = sizeof(*s);
    s->bytes = BYTES;
    return s;
}

void *
scratch_alloc(struct scratch *s, u64 bytes)
{
    u64 at = (s->used + ALIGN - 1) & ~(u64)(ALIGN - 1);

    if (bytes > s->bytes || at > s->bytes - bytes)
        return NULL;
    s->used = at + bytes;
    return (char *)s + at;
}

char *
scratch_text(struct scratch *s, const char *text, u64 len)
{
    char *copy = scratch_alloc(s, len + 1);

    if (copy)
        memcpy(copy, text, len);
    return copy;
}

void
scratch_close(struct scratch *s)
{
    if (s->used > KEPT)
        sys_call4(SYS_madvise, (long)(uintptr_t)s + KEPT, (long)(s->bytes - KEPT),
                  MADV_DONTNEED, 0);
    memset(s + 1, 0, (s->used < KEPT ? s->used : KEPT) - sizeof(*s));
    s->used = sizeof(*s);
    s = __atomic_exchange_n(&spare, s, __ATOMIC_ACQ_REL);
    if (s)
        sys_unmap(s, BYTES);
}
