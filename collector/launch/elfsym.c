/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/elfsym.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BYTES_MAX (1ull << 31) /* of a table; large programs' have 100 MB */

struct file {
    int fd;
    u64 size;
    Elf64_Ehdr head;
    Elf64_Shdr *section;
    u64 sections;
};

/* What has been found of a name. */
struct found {
    const char *name;
    u64 global, local; /* addresses, 0 = none */
    int several;       /* local ones, or any of a plain name */
    int plain;         /* the name is not mangled, the file's are */
    int chosen;        /* at run time */
    int variable;      /* it is one that is looked for */
};

/* n bytes at `at`, and a zero behind them. NULL and *error = -errno. */
static void *
load(const struct file *f, u64 at, u64 n, int *error)
{
    char *p;

    *error = -ENOEXEC;
    if (n > BYTES_MAX || at > f->size || n > f->size - at)
        return NULL;
    p = malloc(n + 1);
    if (!p) {
        *error = -ENOMEM;
        return NULL;
    }
    for (u64 have = 0; have < n;) {
        ssize_t got = pread(f->fd, p + have, n - have, (off_t)(at + have));

        if (got <= 0) {
            *error = got < 0 ? -errno : -ENOEXEC;
            free(p);
            return NULL;
        }
        have += (u64)got;
    }
    p[n] = '\0';
    *error = 0;
    return p;
}

static int
open_file(struct file *f, const char *path)
{
    struct stat st;
    Elf64_Ehdr *head;
    int error;

    memset(f, 0, sizeof(*f));
    f->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (f->fd < 0)
        return -errno;
    if (fstat(f->fd, &st) < 0 || !S_ISREG(st.st_mode))
        return -ENOEXEC;
    f->size = (u64)st.st_size;
    head = load(f, 0, sizeof(*head), &error);
    if (!head)
        return error;
    f->head = *head;
    free(head);
    return !memcmp(f->head.e_ident, ELFMAG, SELFMAG) &&
                   f->head.e_ident[EI_CLASS] == ELFCLASS64 &&
                   f->head.e_phentsize == sizeof(Elf64_Phdr) &&
                   (!f->head.e_shoff || f->head.e_shentsize == sizeof(Elf64_Shdr))
               ? 0
               : -ENOEXEC;
}

static void
close_file(struct file *f)
{
    free(f->section);
    if (f->fd >= 0)
        close(f->fd);
}

/* Their number may be in the first of them. */
static int
load_sections(struct file *f)
{
    Elf64_Shdr *first;
    int error;

    if (!f->head.e_shoff)
        return 0;
    first = load(f, f->head.e_shoff, sizeof(*first), &error);
    if (!first)
        return error;
    f->sections = f->head.e_shnum ? f->head.e_shnum : first->sh_size;
    free(first);
    if (f->sections > f->size / sizeof(*first))
        return -ENOEXEC;
    f->section = load(f, f->head.e_shoff, f->sections * sizeof(*first), &error);
    return error;
}

static int
is_called(const char *symbol, const char *name)
{
    size_t len = strlen(name);

    return !strncmp(symbol, name, len) && (!symbol[len] || symbol[len] == '@');
}

/* Past one part of a mangled name: <length><text>; NULL if it is another one. */
static const char *
past_part(const char *at, const char *part, size_t len)
{
    char number[24];
    int n = snprintf(number, sizeof(number), "%zu", len);

    if (strncmp(at, number, (size_t)n) || strncmp(at + n, part, len))
        return NULL;
    return at + n + len;
}

/* Is a mangled C++ name that of a function with this plain one, as ns::Class::f? */
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
    /* The end of a nested name, parameters, or arguments of a template. */
    return at && (nested ? *at == 'E' || *at == 'I' || *at == 'B' : *at != '\0');
}

static void
take(struct found *found, const Elf64_Sym *symbol)
{
    u32 type = ELF64_ST_TYPE(symbol->st_info);
    int is_local = ELF64_ST_BIND(symbol->st_info) == STB_LOCAL;
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
take_variable(struct found *found, const Elf64_Sym *symbol)
{
    if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT)
        found->global = symbol->st_value;
}

static int
search_table(const struct file *f, const Elf64_Shdr *table, struct found *found)
{
    u64 count = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Shdr *names;
    Elf64_Sym *symbol;
    char *text = NULL;
    int error;

    if (table->sh_link >= f->sections)
        return -ENOEXEC;
    names = &f->section[table->sh_link];
    symbol = load(f, table->sh_offset, count * sizeof(*symbol), &error);
    if (symbol)
        text = load(f, names->sh_offset, names->sh_size, &error);
    for (u64 i = 0; text && i < count; i++)
        if (symbol[i].st_name < names->sh_size &&
            (found->plain ? is_plainly : is_called)(text + symbol[i].st_name,
                                                    found->name))
            (found->variable ? take_variable : take)(found, &symbol[i]);
    free(text);
    free(symbol);
    return error;
}

/* The full table, then what a stripped file keeps. */
static int
search(const struct file *f, struct found *found)
{
    static const u32 types[] = { SHT_SYMTAB, SHT_DYNSYM };
    int ret = 0;

    for (size_t t = 0; t < ER_COUNT(types) && !found->global && !found->local; t++)
        for (u64 i = 0; i < f->sections && ret == 0; i++)
            if (f->section[i].sh_type == types[t])
                ret = search_table(f, &f->section[i], found);
    return ret;
}

/* Code at that address of the file's own. */
static int
place(const struct file *f, u64 address, u64 *offset)
{
    u64 count = f->head.e_phnum;
    Elf64_Phdr *segment;
    int error, ret = -ENOEXEC;

    segment = load(f, f->head.e_phoff, count * sizeof(*segment), &error);
    if (!segment)
        return error;
    for (u64 i = 0; i < count; i++)
        if (segment[i].p_type == PT_LOAD && segment[i].p_flags & PF_X &&
            address >= segment[i].p_vaddr &&
            address - segment[i].p_vaddr < segment[i].p_filesz) {
            *offset = address - segment[i].p_vaddr + segment[i].p_offset;
            ret = 0;
        }
    free(segment);
    return ret;
}

int
elfsym_find(const char *path, const char *name, u64 *offset)
{
    struct found found = { .name = name };
    struct file f;
    int ret = open_file(&f, path);

    if (ret == 0)
        ret = load_sections(&f);
    if (ret == 0)
        ret = search(&f, &found);
    if (ret == 0 && !found.global && !found.local && !found.chosen) {
        found.plain = 1;
        ret = search(&f, &found);
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

    if (ret == 0)
        ret = load_sections(&f);
    for (u64 i = 0; i < f.sections && ret == 0 && !found.global; i++)
        if (f.section[i].sh_type == SHT_DYNSYM)
            ret = search_table(&f, &f.section[i], &found);
    if (ret == 0 && !found.global)
        ret = -ENOENT;
    if (ret == 0)
        *address = found.global;
    close_file(&f);
    return ret;
}

int
elfsym_entry(const char *path, u64 *offset)
{
    struct file f;
    int ret = open_file(&f, path);

    if (ret == 0)
        ret = place(&f, f.head.e_entry, offset);
    close_file(&f);
    return ret;
}
