/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/gdbjit.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct object {
    Elf64_Ehdr head;
    Elf64_Shdr section[4]; /* none, code, symbols, names */
    Elf64_Sym symbol[3];
    char names[16];
};

static u32 seen;
static struct gdbjit_function last;
static char last_name[16];

static int
take(void *context, const struct gdbjit_function *function)
{
    (void)context;
    seen++;
    last = *function;
    snprintf(last_name, sizeof(last_name), "%s", function->name);
    return 0;
}

static struct object
make(u32 type)
{
    struct object o = { .names = "\0one\0data" };

    memcpy(o.head.e_ident, ELFMAG, SELFMAG);
    o.head.e_ident[EI_CLASS] = ELFCLASS64;
    o.head.e_type = (Elf64_Half)type;
    o.head.e_machine = EM_X86_64;
    o.head.e_shoff = offsetof(struct object, section);
    o.head.e_shentsize = sizeof(Elf64_Shdr);
    o.head.e_shnum = 4;
    o.section[1] = (Elf64_Shdr){ .sh_type = SHT_NOBITS, .sh_addr = 0x7000 };
    o.section[2] = (Elf64_Shdr){ .sh_type = SHT_SYMTAB, .sh_link = 3,
                                 .sh_offset = offsetof(struct object, symbol),
                                 .sh_size = sizeof(o.symbol) };
    o.section[3] = (Elf64_Shdr){ .sh_type = SHT_STRTAB,
                                 .sh_offset = offsetof(struct object, names),
                                 .sh_size = sizeof(o.names) };
    o.symbol[1] = (Elf64_Sym){ .st_name = 1, .st_shndx = 1, .st_value = 0x40,
                               .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                               .st_size = 16 };
    o.symbol[2] = (Elf64_Sym){ .st_name = 5, .st_shndx = 1, .st_value = 0x80,
                               .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
                               .st_size = 16 };
    return o;
}

static int
parse(const void *file, u64 size)
{
    seen = 0;
    return gdbjit_parse(file, size, take, NULL);
}

Test(gdbjit, values_count_from_sections_in_what_is_not_linked)
{
    struct object o = make(ET_REL);

    cr_assert_eq(parse(&o, sizeof(o)), 0);
    cr_assert_eq(seen, 1);
    cr_assert_eq(last.addr, 0x7040);
    cr_assert_eq(last.size, 16);
    cr_assert_str_eq(last_name, "one");
    o = make(ET_DYN);
    cr_assert_eq(parse(&o, sizeof(o)), 0);
    cr_assert_eq(last.addr, 0x40);
}

Test(gdbjit, code_without_an_address_is_left_out)
{
    struct object o = make(ET_REL);

    o.section[1].sh_addr = 0;
    cr_assert_eq(parse(&o, sizeof(o)), 0);
    cr_assert_eq(seen, 0);
}

/* Each length and each byte: nothing outside of the file is read (see valgrind). */
Test(gdbjit, damaged_files)
{
    struct object o = make(ET_REL);

    for (u64 size = 0; size < sizeof(o); size++) {
        void *copy = malloc(size + 1);

        memcpy(copy, &o, size);
        parse(copy, size);
        cr_assert_eq(seen, 0, "%zu bytes", (size_t)size);
        free(copy);
    }
    for (u64 at = 0; at < sizeof(o); at++) {
        for (u32 bit = 0; bit < 8; bit++) {
            struct object *copy = malloc(sizeof(o));

            *copy = o;
            ((unsigned char *)copy)[at] ^= (unsigned char)(1u << bit);
            parse(copy, sizeof(o));
            cr_assert_leq(seen, 3);
            free(copy);
        }
    }
}
