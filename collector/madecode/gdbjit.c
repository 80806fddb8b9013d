/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/gdbjit.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collector/attach/proc.h"
#include "collector/inspect/elfsym.h"
#include "collector/madecode/madecode_state.h"
#include "collector/madecode/madewrite.h"
#include "collector/session/session.h"

enum {
    VERSION = 1,
    ENTRIES_MAX = 1 << 16, /* entries of a list that are read */
    BAD_MAX = 256,         /* malformed entries of a list that are tolerated */
    FILE_MAX = 1 << 26,    /* bytes; a larger object file is not read */
    ADDRESS_BITS = 47,
    SIZE_BITS = 28,
};

/* The structs in the process's memory. Their pointers are addresses in that process. */
struct descriptor {
    u32 version;
    u32 action;
    u64 relevant;
    u64 first;
};

struct node {
    u64 next;
    u64 prev;
    u64 file;
    u64 size;
};

/*
 * Make room for one more element, as realloc() does; the size grows by powers of two.
 */
static int
grow(void *array, u32 count, size_t size)
{
    void **at = array, *more;

    if (count & (count - 1))
        return 0;
    more = reallocarray(*at, count ? 2 * (size_t)count : 1, size);
    if (more)
        *at = more;
    return more ? 0 : -ENOMEM;
}

int
gdbjit_is_new(struct gdbjit *g, u64 lo)
{
    for (u32 i = 0; i < g->nsearched; i++)
        if (g->searched[i] == lo)
            return 0;
    if (grow(&g->searched, g->nsearched, sizeof(*g->searched)) < 0)
        return 0;
    g->searched[g->nsearched++] = lo;
    return 1;
}

void
gdbjit_found(struct gdbjit *g, const char *path, u64 bias)
{
    u64 address;

    if (g->lists == GDBJIT_LISTS ||
        elfsym_variable(path, "__jit_debug_descriptor", &address) < 0)
        return;
    for (u32 i = 0; i < g->lists; i++)
        if (g->list[i] == bias + address)
            return; /* found already, by another mapping of this file */
    g->list[g->lists++] = bias + address;
}

/* The n bytes at offset `at` of a file in memory; NULL if the file is shorter. */
static const void *
part(const unsigned char *file, u64 size, u64 at, u64 n)
{
    return at <= size && n <= size - at ? file + at : NULL;
}

struct image {
    const unsigned char *file;
    u64 size;
    Elf64_Ehdr head;
};

static int
section_of(const struct image *m, u32 number, Elf64_Shdr *out)
{
    const void *at = number < m->head.e_shnum
                         ? part(m->file, m->size,
                                m->head.e_shoff + (u64)number * sizeof(*out),
                                sizeof(*out))
                         : NULL;

    if (!at)
        return -EINVAL;
    memcpy(out, at, sizeof(*out));
    return 0;
}

/*
 * Describe the function of a symbol. Returns 1; 0 = it is not a function, or is
 * malformed. In an object that was not linked, the symbol's value counts from its
 * section.
 */
static int
function_of(const struct image *m, const Elf64_Sym *symbol, const Elf64_Shdr *names,
            struct gdbjit_function *out)
{
    const char *text = part(m->file, m->size, names->sh_offset, names->sh_size);
    Elf64_Shdr section;

    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || !symbol->st_size ||
        symbol->st_size >> SIZE_BITS || !text || symbol->st_name >= names->sh_size ||
        !memchr(text + symbol->st_name, 0, names->sh_size - symbol->st_name) ||
        section_of(m, symbol->st_shndx, &section) < 0)
        return 0;
    *out = (struct gdbjit_function){ symbol->st_value, symbol->st_size,
                                     text + symbol->st_name };
    if (m->head.e_type == ET_REL) {
        if (!section.sh_addr)
            return 0;
        out->addr += section.sh_addr;
    }
    return *out->name && out->addr && !(out->addr >> ADDRESS_BITS);
}

static int
parse_table(const struct image *m, const Elf64_Shdr *table,
            int (*put)(void *context, const struct gdbjit_function *function),
            void *context)
{
    const unsigned char *symbols = part(m->file, m->size, table->sh_offset,
                                        table->sh_size);
    struct gdbjit_function function;
    Elf64_Shdr names;
    Elf64_Sym symbol;
    int ret = 0;

    if (!symbols || section_of(m, table->sh_link, &names) < 0)
        return -EINVAL;
    for (u64 i = 0; i < table->sh_size / sizeof(symbol) && ret == 0; i++) {
        memcpy(&symbol, symbols + i * sizeof(symbol), sizeof(symbol));
        if (function_of(m, &symbol, &names, &function))
            ret = put(context, &function);
    }
    return ret;
}

int
gdbjit_parse(const unsigned char *file, u64 size,
             int (*put)(void *context, const struct gdbjit_function *function),
             void *context)
{
    struct image m = { .file = file, .size = size };
    Elf64_Shdr section;
    int ret = 0;

    if (size < sizeof(m.head))
        return -EINVAL;
    memcpy(&m.head, file, sizeof(m.head));
    if (memcmp(m.head.e_ident, ELFMAG, SELFMAG) != 0 ||
        m.head.e_ident[EI_CLASS] != ELFCLASS64 || m.head.e_machine != EM_X86_64 ||
        m.head.e_shentsize != sizeof(section) || m.head.e_shoff > size)
        return -EINVAL;
    for (u32 i = 0; i < m.head.e_shnum && ret == 0; i++)
        if (section_of(&m, i, &section) == 0 && section.sh_type == SHT_SYMTAB)
            ret = parse_table(&m, &section, put, context);
    return ret;
}

/*
 * Record a function. One that the first look finds may have existed since the process's
 * start.
 */
static int
put_function(void *context, const struct gdbjit_function *function)
{
    struct recording *s = context;
    const struct rec_made made = {
        .since = s->madecode->gdbjit.since ? s->madecode->gdbjit.since : MADE_ALWAYS,
        .addr = function->addr,
        .size = function->size,
        .origin = MADE_BY_GDB,
        .name = { function->name, (u32)strnlen(function->name, ER_STR_MAX) },
    };

    return madewrite_made(s, &made);
}

/* Find the list's entry for this node, or make a new one (*is_new). NULL: no memory. */
static struct gdbjit_entry *
entry_of(struct gdbjit *g, u64 at, const struct node *node, int *is_new)
{
    struct gdbjit_entry *e;

    *is_new = 0;
    /*
     * Search from the last found entry on, since entries mostly come in the same order
     * again.
     */
    for (u32 i = 0; i < g->entries; i++) {
        if (++g->met >= g->entries)
            g->met = 0;
        e = &g->entry[g->met];
        if (e->at == at && e->file == node->file && e->size == node->size)
            return e;
    }
    if (grow(&g->entry, g->entries, sizeof(*e)) < 0)
        return NULL;
    e = &g->entry[g->entries++];
    *e = (struct gdbjit_entry){ at, node->file, node->size, 0 };
    g->met = g->entries - 1;
    *is_new = 1;
    return e;
}

/*
 * Read the functions from the entry's object file. If the process has changed the entry
 * in the meantime, the file is read again next time.
 */
static void
read_file(struct recording *s, struct gdbjit_entry *e, const struct node *node)
{
    struct node again;
    unsigned char *file = malloc(node->size);

    if (file && proc_read(s->pid, node->file, file, node->size) == 0 &&
        proc_read(s->pid, e->at, &again, sizeof(again)) == 0 &&
        again.file == node->file && again.size == node->size)
        (void)gdbjit_parse(file, node->size, put_function, s);
    else
        e->file = 0;
    free(file);
}

static void
read_list(struct recording *s, u64 list)
{
    struct gdbjit *g = &s->madecode->gdbjit;
    struct descriptor d;
    struct node node;
    u32 bad = 0;
    u64 at;

    if (proc_read(s->pid, list, &d, sizeof(d)) < 0 || d.version != VERSION)
        return;
    at = d.first;
    for (u32 n = 0; at && n < ENTRIES_MAX; n++, at = node.next) {
        struct gdbjit_entry *e;
        int is_new;

        if (proc_read(s->pid, at, &node, sizeof(node)) < 0)
            return;
        if (!node.size || node.size > FILE_MAX) {
            if (++bad > BAD_MAX)
                return;
            continue;
        }
        e = entry_of(g, at, &node, &is_new);
        /* If the entry was seen in this round already, the list is circular: stop. */
        if (!e || e->round == g->round)
            return;
        if (is_new)
            read_file(s, e, &node);
        e->round = g->round;
    }
}

/* Forget entries that are no longer in the list: their memory may be reused. */
static void
forget(struct gdbjit *g)
{
    u32 n = 0;

    for (u32 i = 0; i < g->entries; i++)
        if (g->entry[i].round == g->round && g->entry[i].file)
            g->entry[n++] = g->entry[i];
    g->entries = n;
}

void
gdbjit_read_new(struct recording *s)
{
    struct gdbjit *g = &s->madecode->gdbjit;
    u64 now = moment_mono();

    if (!g->lists)
        return;
    g->round++;
    for (u32 i = 0; i < g->lists; i++)
        read_list(s, g->list[i]);
    forget(g);
    (void)madewrite_flush(s);
    g->since = now;
}

void
gdbjit_end(struct recording *s)
{
    struct gdbjit *g = &s->madecode->gdbjit;

    free(g->searched);
    free(g->entry);
    memset(g, 0, sizeof(*g));
}
