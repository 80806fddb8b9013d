/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The functions of a load object, collected from symbol tables and other sources; of
 * those that start at one address, one is kept. Ordinary process context. Call
 * symbols_add() or symbols_table() for code with names, then symbols_settle(), then
 * symbols_fill() for code without names, then symbols_write().
 */
#ifndef ERTOOLS_ARCHIVE_ELF_SYMBOLS_H
#define ERTOOLS_ARCHIVE_ELF_SYMBOLS_H

#include "archive/elf/codemap.h"
#include "archive/elf/fde.h"
#include "archive/object/objfile.h"
#include "archive/object/objwrite.h"

struct symbol {
    u64 addr;
    u64 size;
    const char *name; /* borrowed; may end in "@VERSION"; "" = that of func, if any */
    u32 flags;        /* OBJFILE_SYM_*, SYMBOL_* */
    u32 func;         /* row of the writer's table of functions, 0 = not known */
    enum objfile_origin origin;
    enum objfile_binding binding;
};

/* Private flags beside OBJFILE_SYM_*. */
#define SYMBOL_LABEL 0x10000u  /* without a type, as in assembly */
#define SYMBOL_NESTED 0x8000u  /* like OBJ_SYM_NESTED */
#define SYMBOL_COLD 0x20000u   /* a part of the function whose name it has */

struct symbols {
    struct symbol *at;
    u32 count;
    u32 capacity;
    const struct codemap *code; /* symbols outside of this code are ignored */
    int status;                 /* -ENOMEM once memory has run out */
};

/* Adds one symbol, unless it lies outside of the code; cuts it at its section's end. */
void symbols_add(struct symbols *s, const struct symbol *symbol);

/*
 * Adds the functions of a symbol table; `type` is SHT_SYMTAB or SHT_DYNSYM. The image
 * must outlive the symbols. Returns how many symbols were added.
 */
u32 symbols_table(struct symbols *s, struct image *img, u32 type,
                  enum objfile_origin origin);

/*
 * Sorts, chooses one name for each address, drops labels within functions, and gives
 * each symbol an extent. A better name is: of a function rather than a label, with a
 * size, exported rather than local, with fewer leading underscores, global rather than
 * weak, shorter, first in alphabetical order. The first of these in which two names
 * differ decides.
 */
void symbols_settle(struct symbols *s, const struct fde_list *fdes);

/* Adds nameless symbols for the code that no settled symbol covers, except padding. */
void symbols_fill(struct symbols *s, const struct fde_list *fdes);

/* The settled symbol that starts at `addr`, or NULL. */
struct symbol *symbols_find(const struct symbols *s, u64 addr);

/* Whether a settled symbol covers `addr`. */
bool symbols_cover(const struct symbols *s, u64 addr);

/* Appends the symbols that lie within 4 GiB of the writer's base to its table. */
void symbols_write(const struct symbols *s, struct objwrite *w);

void symbols_free(struct symbols *s);

#endif
