/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/elf/ifunc.h"

#include "archive/object/objfile.h"

#define LEA_BYTES 7

/* Whether the code is "lea DISPLACEMENT(%rip), REGISTER" with 64-bit operands. */
static bool
is_lea(const unsigned char *code)
{
    return (code[0] & 0xfb) == 0x48 && code[1] == 0x8d && (code[2] & 0xc7) == 0x05;
}

static void
add_target(struct symbols *s, const struct symbol *resolver, u64 addr,
           const struct fde_list *fdes)
{
    const struct fde *fde = fde_at(fdes, addr);
    struct symbol x = {.addr = addr, .name = resolver->name,
                       .origin = OBJFILE_ORIGIN_IFUNC,
                       .binding = resolver->binding};

    if (!fde)
        return;
    x.size = fde->hi - fde->lo;
    symbols_add(s, &x);
}

/*
 * Adds a symbol for each address that a resolver loads and at which an FDE starts,
 * unless a settled symbol covers the address.
 */
static void
read_resolver(struct symbols *s, u32 settled, u32 number, const struct image *img,
              const struct fde_list *fdes)
{
    const struct symbol resolver = s->at[number]; /* a copy: the array may move */
    const struct codemap_part *part = codemap_find(s->code, resolver.addr);
    struct bytes code = part ? part->bytes : (struct bytes){0};
    u64 at = part ? resolver.addr - part->lo : 0, end = at + resolver.size;

    for (; at + LEA_BYTES <= end && at + LEA_BYTES <= code.size; at++) {
        struct cursor c = image_cursor(img, code, at + 3);
        struct symbols known = *s;
        u64 target;

        if (!is_lea(code.at + at))
            continue;
        target = part->lo + at + LEA_BYTES + (u64)(int64_t)(int32_t)cursor_u32(&c);
        known.count = settled; /* the symbols after these are not sorted yet */
        if (!symbols_cover(&known, target))
            add_target(s, &resolver, target, fdes);
    }
}

void
ifunc_read(struct symbols *s, const struct image *img, const struct fde_list *fdes)
{
    u32 count = s->count;

    if (img->machine != EM_X86_64 || img->bits != 64)
        return;
    for (u32 i = 0; i < count; i++)
        if (s->at[i].flags & OBJFILE_SYM_IFUNC)
            read_resolver(s, count, i, img, fdes);
}
