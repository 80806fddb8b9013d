/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/plt.h"

#include <errno.h>
#include <stdlib.h>

/*
 * A slot of the GOT, with the name of the function that the dynamic linker puts there.
 */
struct slot {
    u64 addr;
    const char *name;
};

struct plt {
    struct symbols *symbols;
    struct image *img;
    struct slot *slots; /* sorted by address */
    u32 count;
    u32 capacity;
    const char **jump_names; /* names of the PLT's relocations, by number */
    u32 jump_count;
    u64 got; /* what %ebx points to in 32-bit position-independent code */
};

static bool
is_slot_type(u32 machine, u32 type)
{
    switch (machine) {
    case EM_X86_64:
        return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT ||
               type == R_X86_64_IRELATIVE;
    case EM_386:
        return type == R_386_JMP_SLOT || type == R_386_GLOB_DAT ||
               type == R_386_IRELATIVE;
    case EM_AARCH64:
        return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT ||
               type == R_AARCH64_IRELATIVE;
    }
    return false;
}

static int
add_slot(struct plt *p, u64 addr, const char *name)
{
    if (p->count == p->capacity) {
        u32 capacity = p->capacity ? p->capacity * 2 : 256;
        struct slot *at = realloc(p->slots, capacity * sizeof(*at));

        if (!at)
            return -ENOMEM;
        p->slots = at;
        p->capacity = capacity;
    }
    p->slots[p->count++] = (struct slot){addr, name};
    return 0;
}

/*
 * The name of the function at an address: if a slot's relocation has no symbol
 * (IRELATIVE), the slot gets this name.
 */
static const char *
resolver_name(const struct plt *p, u64 addr)
{
    const struct symbol *x = symbols_find(p->symbols, addr);

    return x ? x->name : "";
}

struct relocs {
    struct bytes data;
    struct bytes symbols;
    struct bytes names;
    bool addends;
};

/*
 * Reads one relocation; returns the address to which it applies. *name becomes "" if it
 * does not put a function into a slot.
 */
static u64
read_reloc(const struct plt *p, const struct relocs *r, struct cursor *c,
           const char **name)
{
    u64 addr = image_word(p->img, c), info = image_word(p->img, c);
    u64 addend = r->addends ? image_word(p->img, c) : 0;
    u32 type = p->img->bits == 64 ? (u32)info : (u32)info & 0xff;
    u64 symbol = p->img->bits == 64 ? info >> 32 : info >> 8;
    struct cursor at;

    *name = "";
    if (!is_slot_type(p->img->machine, type))
        return addr;
    if (symbol == 0) {
        *name = resolver_name(p, addend);
        return addr;
    }
    at = image_cursor(p->img, r->symbols, symbol * (p->img->bits == 64 ? 24 : 16));
    *name = bytes_string(r->names, cursor_u32(&at));
    return addr;
}

static int
read_relocs(struct plt *p, const struct image_section *s, const struct relocs *r)
{
    u32 size = (p->img->bits / 8) * (r->addends ? 3 : 2);
    u32 total = (u32)(r->data.size / size);
    bool numbered = strstr(s->name, ".plt") != NULL && !p->jump_names;
    int status = 0;

    if (numbered && total > 0) {
        p->jump_names = calloc(total, sizeof(*p->jump_names));
        if (!p->jump_names)
            return -ENOMEM;
        p->jump_count = total;
    }
    for (u32 i = 0; i < total && status == 0; i++) {
        struct cursor c = image_cursor(p->img, r->data, (u64)i * size);
        const char *name;
        u64 addr = read_reloc(p, r, &c, &name);

        if (numbered)
            p->jump_names[i] = name;
        if (name[0])
            status = add_slot(p, addr, name);
    }
    return status;
}

static int
compare(const void *a, const void *b)
{
    const struct slot *x = a, *y = b;

    return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static int
read_slots(struct plt *p)
{
    struct image *img = p->img;
    int status = 0;

    for (u32 i = 0; i < img->section_count && status == 0; i++) {
        struct image_section *s = &img->sections[i], *table;
        struct relocs r = {.addends = s->type == SHT_RELA};

        if ((s->type != SHT_RELA && s->type != SHT_REL) || !(s->flags & SHF_ALLOC))
            continue;
        table = s->link < img->section_count ? &img->sections[s->link] : NULL;
        image_data(img, s, &r.data);
        image_data(img, table, &r.symbols);
        image_linked(img, table, &r.names);
        status = read_relocs(p, s, &r);
    }
    if (p->count)
        qsort(p->slots, p->count, sizeof(*p->slots), compare);
    return status;
}

static const char *
slot_name(const struct plt *p, u64 addr)
{
    const struct slot key = {.addr = addr}, *found = NULL;

    if (p->count)
        found = bsearch(&key, p->slots, p->count, sizeof(key), compare);
    return found ? found->name : "";
}

static void
add_stub(struct plt *p, u64 addr, u64 size, const char *name)
{
    struct symbol x = {.addr = addr, .size = size, .name = name,
                       .origin = OBJFILE_ORIGIN_PLT, .binding = OBJFILE_GLOBAL};

    if (name[0])
        symbols_add(p->symbols, &x);
}

/*
 * The name of an x86 stub: from the slot through which it jumps, or from the number of
 * the relocation, which it pushes. "": not known.
 */
static const char *
x86_stub_name(const struct plt *p, struct bytes stub, u64 addr)
{
    for (u64 i = 0; i + 6 <= stub.size; i++) {
        struct cursor c = image_cursor(p->img, stub, i + 2);
        int32_t disp = (int32_t)cursor_u32(&c);

        if (stub.at[i] != 0xff)
            continue;
        if (stub.at[i + 1] == 0x25 && p->img->bits == 64)
            return slot_name(p, addr + i + 6 + (u64)(int64_t)disp);
        if (stub.at[i + 1] == 0x25)
            return slot_name(p, (u32)disp);
        if (stub.at[i + 1] == 0xa3)
            return slot_name(p, (p->got + (u64)(int64_t)disp) & 0xffffffff);
    }
    /* The stub is: endbr, push NUMBER, jmp to the first stub. */
    if (stub.size >= 9 && stub.at[0] == 0xf3 && stub.at[4] == 0x68) {
        struct cursor c = image_cursor(p->img, stub, 5);
        u32 number = cursor_u32(&c);

        return number < p->jump_count ? p->jump_names[number] : "";
    }
    return "";
}

static void
x86_section(struct plt *p, const struct codemap_part *part)
{
    u64 step = part->entsize == 8 ? 8 : 16;

    for (u64 at = 0; at + step <= part->bytes.size; at += step) {
        struct bytes stub = {part->bytes.at + at, step};

        add_stub(p, part->lo + at, step, x86_stub_name(p, stub, part->lo + at));
    }
}

/*
 * Names stubs "adrp x16, PAGE; ldr x17, [x16, OFFSET]", optionally preceded by "bti c".
 */
static void
aarch64_section(struct plt *p, const struct codemap_part *part)
{
    struct cursor c = image_cursor(p->img, part->bytes, 0);
    u32 before = 0, word = 0;

    for (u64 at = part->lo; cursor_left(&c) >= 8; at += 4, before = word) {
        struct cursor next;
        u32 load;
        int64_t page;
        bool bti = before == 0xd503245f;

        word = cursor_u32(&c);
        next = c;
        load = cursor_u32(&next);
        if ((word & 0x9f00001f) != 0x90000010 || (load & 0xffc003ff) != 0xf9400211)
            continue;
        page = (int64_t)((u64)((word >> 5 & 0x7ffff) << 2 | (word >> 29 & 3)) << 43);
        add_stub(p, bti ? at - 4 : at, bti ? 20 : 16,
                 slot_name(p, (at & ~(u64)0xfff) + (u64)(page >> 31) +
                              (load >> 10 & 0xfff) * 8));
    }
}

int
plt_read(struct symbols *s, struct image *img)
{
    struct plt p = {.symbols = s, .img = img};
    struct image_section *got = image_find(img, ".got.plt");
    int status;

    if (!got)
        got = image_find(img, ".got");
    p.got = got ? got->addr : 0;
    status = read_slots(&p);
    for (u32 i = 0; i < s->code->count && status == 0; i++) {
        const struct codemap_part *part = &s->code->at[i];

        if (strncmp(part->name, ".plt", 4) != 0 && strcmp(part->name, ".iplt") != 0)
            continue;
        if (img->machine == EM_X86_64 || img->machine == EM_386)
            x86_section(&p, part);
        else if (img->machine == EM_AARCH64)
            aarch64_section(&p, part);
    }
    free(p.slots);
    free(p.jump_names);
    return status;
}
