/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For targets that hold the unwinder in themselves: the load objects of this process,
 * room for nodes and walks, and stacks read back. Normal context unless said.
 */
#ifndef ERTOOLS_TESTS_SIG_SELF_H
#define ERTOOLS_TESTS_SIG_SELF_H

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

#include "collector/sig/loaded.h"
#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/walk.h"

enum { SELF_SEGMENTS = 64 };

static u64 self_next;
static u32 self_instance;

static inline int
self_add_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct objtab_object o = { .instance = ++self_instance };

    (void)size;
    (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) {
            o.hdr = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            o.hdr_size = info->dlpi_phdr[i].p_memsz;
        }
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        o.lo = (info->dlpi_addr + p->p_vaddr) & ~(u64)4095;
        o.hi = (info->dlpi_addr + p->p_vaddr + p->p_memsz + 4095) & ~(u64)4095;
        if (loaded_add(&o))
            abort();
    }
    return 0;
}

/* Tell the unwinder of the objects that are loaded now. */
static inline void
self_refresh(void)
{
    self_instance = 0;
    dl_iterate_phdr(self_add_object, NULL);
}

static inline void *
self_map(u64 bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (p == MAP_FAILED)
        abort();
    return p;
}

/* An empty store of nodes, and the objects. */
static inline void
self_start(void)
{
    node_start(&self_next);
    for (u32 i = 0; i < SELF_SEGMENTS; i++)
        if (node_attach(i, self_map(1 << 20)))
            abort();
    objtab_set_finder(dlsym(RTLD_DEFAULT, "_dl_find_object"));
    self_refresh();
}

/* A walk for the calling thread, with its stack's bounds. */
static inline struct walk *
self_walk(u32 frames)
{
    pthread_attr_t attr;
    void *lo;
    size_t size;

    if (pthread_getattr_np(pthread_self(), &attr) ||
        pthread_attr_getstack(&attr, &lo, &size))
        abort();
    pthread_attr_destroy(&attr);
    return walk_init(self_map(walk_bytes(frames)), frames, (u64)(uintptr_t)lo,
                     (u64)(uintptr_t)lo + size);
}

/* The pcs of a stack, leaf first; at most max. Returns their number. Any context. */
static inline u32
self_stack(u32 id, u64 *pcs, u32 *flags, u32 max)
{
    u32 n = 0;

    for (const struct node *node; id && n < max && (node = node_at(id));
         id = node->parent) {
        pcs[n] = node->pc_flags & NODE_PC_MASK;
        flags[n++] = (u32)(node->pc_flags >> 48);
    }
    return n;
}

static inline void
self_print(FILE *out, u64 pc)
{
    Dl_info info;

    if (dladdr((void *)(uintptr_t)pc, &info) && info.dli_fname) {
        u64 base = (u64)(uintptr_t)info.dli_fbase;

        fprintf(out, "%s+0x%llx (%s)", info.dli_sname ? info.dli_sname : "?",
                (unsigned long long)(info.dli_sname
                                         ? pc - (u64)(uintptr_t)info.dli_saddr
                                         : pc - base),
                info.dli_fname);
    } else {
        fprintf(out, "0x%llx", (unsigned long long)pc);
    }
}

#endif
