/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -rdynamic */
/*
 * Makes functions at run time, runs each for a while, called by a function of its own,
 * and reports them by the GDB JIT interface only, each in an object file of its own:
 *
 *   plain   two functions, in mappings of their own; the first one is not linked (its
 *           symbols count from its section), the second one is
 *   freed   then the first one is withdrawn, and a third one takes its place
 *   bad     besides, object files that are none, and a list that leads into itself
 */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "made-code.h"

struct entry {
    struct entry *next;
    struct entry *prev;
    const void *file;
    uint64_t size;
};

struct descriptor {
    uint32_t version;
    uint32_t action;
    struct entry *relevant;
    struct entry *first;
};

extern struct descriptor __jit_debug_descriptor;
struct descriptor __jit_debug_descriptor = { 1, 0, NULL, NULL };

/* An object file with one function. */
struct object {
    Elf64_Ehdr head;
    Elf64_Shdr section[4]; /* none, code, symbols, names */
    Elf64_Sym symbol[2];
    char names[32];
};

/* Not alike, lest a compiler makes one of them. */
CALL(first, 0.2)
CALL(second, 0.21)
CALL(third, 0.6)

static void *
make(void)
{
    void *area = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return memcpy((char *)area + 64, code, sizeof(code));
}

static struct object *
describe(void *at, const char *name, int type)
{
    struct object *o = calloc(1, sizeof(*o));
    uint64_t section = (uintptr_t)at & ~4095ull;

    memcpy(o->head.e_ident, ELFMAG, SELFMAG);
    o->head.e_ident[EI_CLASS] = ELFCLASS64;
    o->head.e_ident[EI_DATA] = ELFDATA2LSB;
    o->head.e_type = (Elf64_Half)type;
    o->head.e_machine = EM_X86_64;
    o->head.e_shoff = offsetof(struct object, section);
    o->head.e_shentsize = sizeof(Elf64_Shdr);
    o->head.e_shnum = 4;
    o->section[1] = (Elf64_Shdr){ .sh_type = SHT_NOBITS, .sh_addr = section,
                                  .sh_flags = SHF_ALLOC | SHF_EXECINSTR,
                                  .sh_size = 4096 };
    o->section[2] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = 3,
                                  .sh_offset = offsetof(struct object, symbol),
                                  .sh_size = sizeof(o->symbol),
                                  .sh_entsize = sizeof(Elf64_Sym) };
    o->section[3] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
                                  .sh_offset = offsetof(struct object, names),
                                  .sh_size = sizeof(o->names) };
    snprintf(o->names + 1, sizeof(o->names) - 1, "%s", name);
    o->symbol[1] = (Elf64_Sym){ .st_name = 1, .st_shndx = 1,
                                .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                .st_value = (uintptr_t)at -
                                            (type == ET_REL ? section : 0),
                                .st_size = sizeof(code) };
    return o;
}

static struct entry *
insert(const void *file, uint64_t size)
{
    struct descriptor *d = &__jit_debug_descriptor;
    struct entry *e = calloc(1, sizeof(*e));

    *e = (struct entry){ d->first, NULL, file, size };
    if (d->first)
        d->first->prev = e;
    d->first = e;
    return e;
}

static void
withdraw(struct entry *e)
{
    if (e->prev)
        e->prev->next = e->next;
    else
        __jit_debug_descriptor.first = e->next;
    if (e->next)
        e->next->prev = e->prev;
}

static void
put_bad(void *at)
{
    struct object *planted = describe(at, "planted", ET_REL);
    struct entry *e;

    insert((void *)16, 4096);
    insert(planted, 1ull << 40);
    insert(planted, 70);
    planted->section[2].sh_offset = ~7ull;
    e = insert(planted, sizeof(*planted));
    planted = describe(at, "planted", ET_REL);
    planted->symbol[1].st_name = 31;
    planted->names[31] = 'x';
    insert(planted, sizeof(*planted));
    planted = describe(at, "planted", ET_REL);
    planted->head.e_ident[EI_CLASS] = ELFCLASS32;
    insert(planted, sizeof(*planted));
    planted = describe(at, "planted", ET_REL);
    planted->symbol[1].st_shndx = 77;
    insert(planted, sizeof(*planted));
    e->next->next->next->next = e; /* a ring, behind what is good */
}

int
main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "plain";
    void *first = make(), *second = make();
    struct object *object = describe(first, "made_first", ET_REL);
    struct entry *entry;

    if (!strcmp(way, "bad")) {
        insert(object, sizeof(*object));
        put_bad(first);
    }
    entry = insert(object, sizeof(*object));
    call_first(first);
    object = describe(second, "made_second", ET_DYN);
    insert(object, sizeof(*object));
    call_second(second);
    if (!strcmp(way, "freed")) {
        withdraw(entry);
        object = describe(first, "made_third", ET_REL);
        insert(object, sizeof(*object));
        call_third(first);
    }
    return 0;
}
