/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/heap/arena.h"

#include <stdint.h>

#include "collector/sig/sys.h"

/* Before each block. */
struct head {
    struct head *next; /* the next block with pages of its own; NULL = the last */
    size_t bytes;
};

enum { PAGE = 4096 };

char arena_memory[ARENA_BYTES] __attribute__((aligned(16)));
void *arena_pages;

static size_t used;

static struct head *
head_of(const void *block)
{
    return (struct head *)(uintptr_t)block - 1;
}

static void *
place(char *base, size_t bytes, size_t align)
{
    uintptr_t at = (uintptr_t)base + sizeof(struct head);
    void *block = (void *)((at + align - 1) & ~(uintptr_t)(align - 1));

    head_of(block)->bytes = bytes;
    return block;
}

static void *
map_pages(size_t bytes, size_t align)
{
    size_t more = align + PAGE;
    char *pages = bytes > SIZE_MAX - more ? NULL : sys_map(bytes + more);
    struct head *head;
    void *block;

    if (!pages)
        return NULL;
    block = place(pages, bytes, align);
    head = head_of(block);
    head->next = __atomic_load_n(&arena_pages, __ATOMIC_ACQUIRE);
    while (!__atomic_compare_exchange_n((struct head **)(void *)&arena_pages,
                                        &head->next, head, 0, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE))
        ;
    return block;
}

void *
arena_zalloc(size_t bytes, size_t align)
{
    size_t old = __atomic_load_n(&used, __ATOMIC_RELAXED), want;

    if (align < 16)
        align = 16;
    if (bytes > ARENA_BYTES / 4 || align > PAGE)
        return map_pages(bytes, align);
    want = (bytes + sizeof(struct head) + align + 15) & ~(size_t)15;
    do {
        if (want > ARENA_BYTES - old)
            return map_pages(bytes, align);
    } while (!__atomic_compare_exchange_n(&used, &old, old + want, 0, __ATOMIC_RELAXED,
                                          __ATOMIC_RELAXED));
    return place(arena_memory + old, bytes, align);
}

size_t
arena_size(const void *block)
{
    return head_of(block)->bytes;
}

int
arena_has_page(const void *block)
{
    const struct head *head = __atomic_load_n(&arena_pages, __ATOMIC_ACQUIRE);

    while (head && (const void *)(head + 1) != block)
        head = head->next;
    return head != NULL;
}
