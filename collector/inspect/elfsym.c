/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/elfsym.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    int fd;
    Elf *elf;
};

/* A name to search for, and the symbols that were found. */
struct found {
    const char *name;
    u64 global, local; /* addresses, 0 = none */
    int several;       /* several addresses: of local symbols or, if plain, of any */
    int plain;         /* take `name` as unmangled, and compare mangled C++ names */
    int chosen;   /* a symbol found is an ifunc, whose function is chosen at run time */
    int variable; /* search for a variable, not a function */
};

/* Open a file. It is read, not mapped, since it may be truncated in the meantime. */
static int
open_file(struct file *f, const char *path)
{
    struct stat st;

    f->elf = NULL;
    f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f->fd < 0)
        return -errno;
    if (fstat(f->fd, &st) < 0 || !S_ISREG(st.st_mode))
        return -ENOEXEC;
    elf_version(EV_CURRENT);
    f->elf = elf_begin(f->fd, ELF_C_READ, NULL);
    return gelf_getclass(f->elf) == ELFCLASS64 ? 0 : -ENOEXEC;
}

static void
close_file(struct file *f)
{
    elf_end(f->elf);
    if (f->fd >= 0)
        close(f->fd);
}

static int
is_called(const char *symbol, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(symbol, name, len) && (!symbol[len] || symbol[len] == '@');
}

/* Skip a part <length><text> of a mangled name; NULL if its text is not `part`. */
static const char *
past_part(const char *at, const char *part, size_t len)
{
    char number[24];
    int n = snprintf(number, sizeof(number), "%zu", len);

    if (strncmp(at, number, (size_t)n) || strncmp(at + n, part, len))
        return NULL;
    return at + n + len;
}

/*
 * Is this mangled C++ name the name of a function whose plain name is `name`, as
 * ns::Class::f?
 */
static int
is_plainly(const char *symbol, const char *name)
{
    int nested = strstr(name, "::") != NULL;
    const char *at = symbol + 2;

    if (strncmp(symbol, "_Z", 2) || strstr(symbol, ".cold") || strstr(symbol, ".part"))
        return 0;
    if (nested) {
        at += *at == 'N' ? 1 : 0;
        at += strspn(at, "rVK");
    } else {
        at += *at == 'L' ? 1 : 0;
    }
    for (size_t len; at && *name; name += len) {
        name += strncmp(name, "::", 2) ? 0 : 2;
        len = strcspn(name, ":(");
        if (name[len] == '(' || !len)
            return 0;
        at = past_part(at, name, len);
    }
    /*
     * After the name must come the end of a nested name, template arguments, or
     * parameters.
     */
    return at && (nested ? *at == 'E' || *at == 'I' || *at == 'B' : *at != '\0');
}

static void
add_symbol(struct found *found, const GElf_Sym *symbol)
{
    u32 type = GELF_ST_TYPE(symbol->st_info);
    int is_local = GELF_ST_BIND(symbol->st_info) == STB_LOCAL;
    u64 *to = is_local ? &found->local : &found->global;

    if (symbol->st_shndx == SHN_UNDEF || !symbol->st_value)
        return;
    found->chosen |= type == STT_GNU_IFUNC;
    if (type != STT_FUNC && type != STT_NOTYPE)
        return;
    found->several |=
        (is_local || found->plain) && *to && *to != symbol->st_value;
    if (!*to || type == STT_FUNC)
        *to = symbol->st_value;
}

static void
add_variable(struct found *found, const GElf_Sym *symbol)
{
    if (symbol->st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol->st_info) == STT_OBJECT)
        found->global = symbol->st_value;
}

static void
search_table(const struct file *f, Elf_Scn *table, size_t names, struct found *found)
{
    Elf_Data *data = elf_getdata(table, NULL);
    GElf_Sym symbol;

    for (int i = 0; data && gelf_getsym(data, i, &symbol); i++) {
        const char *text = elf_strptr(f->elf, names, symbol.st_name);

        if (text && (found->plain ? is_plainly : is_called)(text, found->name))
            (found->variable ? add_variable : add_symbol)(found, &symbol);
    }
}

static void
search_tables(const struct file *f, u32 type, struct found *found)
{
    Elf_Scn *scn = NULL;
    GElf_Shdr head;

    while ((scn = elf_nextscn(f->elf, scn)))
        if (gelf_getshdr(scn, &head) && head.sh_type == type)
            search_table(f, scn, head.sh_link, found);
}

/* Search .symtab, then .dynsym, which a stripped file still has. */
static void
search(const struct file *f, struct found *found)
{
    search_tables(f, SHT_SYMTAB, found);
    if (!found->global && !found->local)
        search_tables(f, SHT_DYNSYM, found);
}

/* Set *offset to the file offset of the code at a link-time address. */
static int
place(const struct file *f, u64 address, u64 *offset)
{
    GElf_Phdr segment;
    size_t count;

    if (elf_getphdrnum(f->elf, &count) < 0)
        return -ENOEXEC;
    for (size_t i = 0; i < count && gelf_getphdr(f->elf, (int)i, &segment); i++)
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_X &&
            address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz) {
            *offset = address - segment.p_vaddr + segment.p_offset;
            return 0;
        }
    return -ENOEXEC;
}

int
elfsym_find(const char *path, const char *name, u64 *offset)
{
    struct found found = { .name = name };
    struct file f;
    int ret = open_file(&f, path);

    if (ret == 0)
        search(&f, &found);
    if (ret == 0 && !found.global && !found.local && !found.chosen) {
        found.plain = 1;
        search(&f, &found);
    }
    if (ret == 0 && !found.global && !found.local)
        ret = found.chosen ? -ENOTUNIQ : -ENOENT;
    else if (ret == 0 && (!found.global || found.plain) && found.several)
        ret = -EEXIST;
    if (ret == 0)
        ret = place(&f, found.global ? found.global : found.local, offset);
    close_file(&f);
    return ret;
}

int
elfsym_variable(const char *path, const char *name, u64 *address)
{
    struct found found = { .name = name, .variable = 1 };
    struct file f;
    int ret = open_file(&f, path);

    if (ret == 0) {
        search_tables(&f, SHT_DYNSYM, &found);
        *address = found.global;
        ret = found.global ? 0 : -ENOENT;
    }
    close_file(&f);
    return ret;
}

int
elfsym_entry(const char *path, u64 *offset)
{
    struct file f;
    GElf_Ehdr head;
    int ret = open_file(&f, path);

    if (ret == 0)
        ret = gelf_getehdr(f.elf, &head) ? place(&f, head.e_entry, offset) : -ENOEXEC;
    close_file(&f);
    return ret;
}
