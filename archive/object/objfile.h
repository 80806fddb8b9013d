/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reader of object files (.ero), in which er_archive keeps what printing needs to know
 * of one load object: its functions, lines, inlined calls and code bytes.
 *
 * Ordinary process context. A file is mapped once and never changes; all queries are
 * read-only, allocate nothing and may run in any number of threads at a time. Strings
 * point into the mapping and live until objfile_close(). Broken or hostile files give
 * an error at open or wrong answers later, but never a crash.
 *
 * Addresses are link-time vaddrs: pc minus the bias of the load (map.xml).
 */
#ifndef ERTOOLS_ARCHIVE_OBJECT_OBJFILE_H
#define ERTOOLS_ARCHIVE_OBJECT_OBJFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "share/types.h"

#define OBJFILE_VERSION 1

/* The version of descriptions in the cache: increased when new ones contain more. */
#define OBJFILE_CACHE 4
#define OBJFILE_KEY_MAX 136 /* longest key with its final zero */
#define OBJFILE_ERROR_MAX 512
#define OBJFILE_VDSO "[vdso]" /* stands for the path of a vdso */

struct objfile;

/* What map.xml says about a load object; a missing attribute is NULL or "". */
struct objfile_id {
    const char *name;    /* path */
    const char *buildid; /* hex digits */
    const char *dev;     /* "major:minor" as in map.xml */
    const char *inode;
    const char *fsize;   /* decimal, bytes */
    const char *mtime;   /* decimal, ns since 1970 */
};

enum objfile_source_kind {
    OBJFILE_SOURCE_OBJECT = 1,    /* the load object itself */
    OBJFILE_SOURCE_DEBUG = 2,     /* separate debug file, by build-id or debuglink */
    OBJFILE_SOURCE_MINI = 3,      /* .gnu_debugdata within the object */
    OBJFILE_SOURCE_ALT = 4,       /* .gnu_debugaltlink (dwz) */
    OBJFILE_SOURCE_SPLIT = 5,     /* .dwo or .dwp */
    OBJFILE_SOURCE_DEBUGINFOD = 6 /* separate debug file, fetched */
};

/* struct objfile_info flags */
#define OBJFILE_HAS_SYMTAB 0x1u /* full symbol table, of the object or its debug file */
#define OBJFILE_HAS_DYNSYM 0x2u
#define OBJFILE_HAS_LINES 0x4u
#define OBJFILE_HAS_INLINES 0x8u
#define OBJFILE_HAS_FDES 0x10u /* has .eh_frame, for bounds of nameless functions */
#define OBJFILE_ASKED 0x20u    /* debuginfod was asked for a debug file */

struct objfile_info {
    const char *path;    /* the object's path when it was archived */
    const char *buildid; /* hex digits, "" = none */
    u64 base;            /* lowest vaddr of executable code */
    u64 file_size;       /* bytes of the .ero */
    u32 machine;         /* EM_* of <elf.h> */
    u32 bits;            /* 32 or 64 */
    bool big_endian;     /* byte order of the object, not of the .ero */
    u32 flags;
};

/* Where a symbol was found. */
enum objfile_origin {
    OBJFILE_ORIGIN_SYMTAB = 1,
    OBJFILE_ORIGIN_DYNSYM = 2,
    OBJFILE_ORIGIN_MINI = 3,  /* .symtab of .gnu_debugdata */
    OBJFILE_ORIGIN_PLT = 4,   /* name@plt, made from relocations */
    OBJFILE_ORIGIN_DWARF = 5, /* DW_TAG_subprogram without symbol */
    OBJFILE_ORIGIN_FDE = 6,   /* bounds from .eh_frame, no name: "<static>@0x…" */
    OBJFILE_ORIGIN_SECTION = 7, /* rest of an executable section, no name */
    OBJFILE_ORIGIN_IFUNC = 8,  /* name@ifunc: implementation of an indirect function */
    OBJFILE_ORIGIN_GO = 9      /* Go's own table of functions */
};

enum objfile_binding {
    OBJFILE_LOCAL = 0,
    OBJFILE_GLOBAL = 1,
    OBJFILE_WEAK = 2
};

#define OBJFILE_SYM_IFUNC 0x100u    /* the resolver of an indirect function */
#define OBJFILE_SYM_SIZELESS 0x200u /* size 0 in ELF; `size` reaches to what follows */
#define OBJFILE_SYM_PART 0x400u     /* .cold, .part: a fragment of another function */

struct objfile_symbol {
    u32 index;        /* number for objfile_symbol_at() */
    u32 flags;        /* OBJFILE_SYM_* */
    u64 addr;
    u64 size;         /* bytes, > 0 */
    const char *name; /* linkage name, no @VERSION; "" = nameless (FDE, SECTION) */
    enum objfile_origin origin;
    enum objfile_binding binding;
    u32 func;              /* number for objfile_func(); 0 = none */
    u32 decl_file;         /* number for objfile_file(); 0 = not known */
    u32 decl_line;         /* 0 = not known */
};

/* A variable or a constant. */
struct objfile_variable {
    u64 addr;
    u64 size;         /* bytes, > 0 */
    const char *name; /* linkage name, as in the symbol table */
};

/* A function of which there is debug information, inlined or not. */
struct objfile_func {
    const char *linkage; /* linkage name; the same as name where there is none */
    const char *name;    /* name as in the source, unqualified */
    u32 decl_file;       /* number for objfile_file(); 0 = not known */
    u32 decl_line;       /* 0 = not known */
    bool inlined;        /* it was inlined at least once */
};

/* One run of code bytes that belong to one line. */
struct objfile_line {
    u32 index;  /* number for objfile_line_at() */
    u32 file;   /* number for objfile_file(); 0 = no line information here */
    u32 line;   /* 0 = code without a source line */
    u32 column; /* 0 = not known */
    u64 addr;   /* the run is [addr, end) */
    u64 end;
    bool is_stmt;
    u32 discriminator; /* LLVM's base one: which branch of the line; 0 = none */
};

/* One inlined call. */
struct objfile_inline {
    u32 node;      /* identifies the call within the object; > 0 */
    u32 parent;    /* the call that it is nested in; 0 = called by the symbol itself */
    u32 func;      /* the inlined function, for objfile_func(); 0 = not known */
    u32 call_file; /* where it was called: for objfile_file(); 0 = not known */
    u32 call_line;   /* 0 = not known */
    u32 call_column; /* 0 = not known */
    u32 discriminator; /* as in struct objfile_line */
};

/* One executable section. */
struct objfile_code {
    u64 addr;
    u64 size;         /* bytes */
    const char *name; /* "" = a segment of an object without sections */
};

/* A file from which information was taken. */
struct objfile_source {
    enum objfile_source_kind kind;
    const char *path;
    u64 size;     /* bytes */
    u64 mtime_ns; /* since 1970; 0 for OBJFILE_SOURCE_MINI */
};

/*
 * The key of a load object: its build-id, else a hash of path, device, inode, size and
 * mtime. 0, or -EINVAL when `id` has neither a valid build-id nor a name.
 */
int objfile_key(char key[OBJFILE_KEY_MAX], const struct objfile_id *id);

/*
 * Opens archives/<key>.ero in the founder experiment whose directory is `expdir`, or
 * else the description of `object` in the user's cache. `object` is the name in
 * map.xml, OBJFILE_VDSO, or NULL: do not use the cache. On success *out is the
 * caller's, to be closed. -ENOENT: neither place has it; -EINVAL: not a well-formed
 * .ero; else -errno. On an error `error` (OBJFILE_ERROR_MAX bytes, may be NULL) holds a
 * sentence that names the file.
 */
int objfile_open(struct objfile **out, int expdir, const char *key, const char *object,
                 char *error);

/*
 * Opens the .ero file `path`, relative to the directory `dirfd`; `error` and the result
 * as for objfile_open().
 */
int objfile_open_path(struct objfile **out, int dirfd, const char *path, char *error);

/*
 * Opens the file `name` in `dirfd`; flags: O_NOFOLLOW, or 0. Errors name it as `path`.
 */
int objfile_open_at(struct objfile **out, int dirfd, const char *name, int flags,
                    const char *path, char *error);

/*
 * Opens a description in the user's cache, whose directory is `cache`: of the object at
 * `path` (an absolute path or OBJFILE_VDSO), with this key. It must have been made from
 * that file, and nobody but the user may be able to write it. 0 or -errno.
 */
int objfile_open_cached(struct objfile **out, int cache, const char *key,
                        const char *path);

/* Unmaps and frees. NULL is allowed. */
void objfile_close(struct objfile *o);

/*
 * Opens the directory archives/ of the founder experiment `expdir`; a symbolic link is
 * refused. A descriptor for the caller, or -errno.
 */
int objfile_archives(int expdir);

/*
 * Opens the directory of the user's cache of .ero files of this format version.
 * -ENOENT: there is none; -EPERM: its owner or permissions are not safe; else -errno.
 * With `create`, it is created if missing. The descriptor is the caller's.
 */
int objfile_cache_dir(bool create);

void objfile_info(const struct objfile *o, struct objfile_info *out);

/* The function that covers `vaddr`. 0, or -ENOENT. */
int objfile_symbol(const struct objfile *o, u64 vaddr, struct objfile_symbol *out);

/* The variable that covers `vaddr`. 0, or -ENOENT. */
int objfile_variable(const struct objfile *o, u64 vaddr, struct objfile_variable *out);

/* Symbols are numbered 0 to count - 1 by address. -ENOENT beyond. */
u32 objfile_symbol_count(const struct objfile *o);
int objfile_symbol_at(const struct objfile *o, u32 index, struct objfile_symbol *out);

/*
 * The name to show for a symbol, not demangled: its linkage name; if it has none,
 * "<static>@0x<vaddr> (<object>)", with the base name of `object`, written into `buf`.
 */
const char *objfile_symbol_name(const struct objfile_symbol *sym, const char *object,
                                char *buf, size_t size);

/*
 * The functions in debug information have the numbers 1 to count - 1. -ENOENT for 0,
 * and beyond the end.
 */
u32 objfile_func_count(const struct objfile *o);
int objfile_func(const struct objfile *o, u32 index, struct objfile_func *out);

/*
 * Source files have the numbers 1 to count - 1, and full paths. For any other number,
 * objfile_file() returns "".
 */
u32 objfile_file_count(const struct objfile *o);
const char *objfile_file(const struct objfile *o, u32 index);

/* Get the run that covers `vaddr`. 0, or -ENOENT if it has no line information. */
int objfile_line(const struct objfile *o, u64 vaddr, struct objfile_line *out);

/* The next address above `vaddr` at which a run starts or ends; UINT64_MAX: none. */
u64 objfile_line_boundary(const struct objfile *o, u64 vaddr);

/*
 * All runs, in the order of addresses, from 0 to count - 1; gaps are runs whose file is
 * 0. For the lines of a function or range, begin at objfile_line_index(start), and
 * continue while addr < end. For the lines of a source file, go through all runs and
 * compare `file`. -ENOENT beyond the end.
 */
u32 objfile_line_count(const struct objfile *o);
int objfile_line_at(const struct objfile *o, u32 index, struct objfile_line *out);

/*
 * The number of the first run that ends above `vaddr`; if there is none, the count of
 * runs.
 */
u32 objfile_line_index(const struct objfile *o, u64 vaddr);

/*
 * Gets the inlined calls that contain `vaddr`, outermost first: the symbol called
 * chain[0] at chain[0].call_line, chain[0]'s function called chain[1], and so on; the
 * line of objfile_line() is in the last one. Returns how many there are (0: none). That
 * may be more than `max`; then the outermost `max` are filled in.
 */
u32 objfile_inlines(const struct objfile *o, u64 vaddr, struct objfile_inline *chain,
                    u32 max);

/*
 * The next address above `vaddr` at which objfile_inlines() may give another result;
 * UINT64_MAX: none.
 */
u64 objfile_inline_boundary(const struct objfile *o, u64 vaddr);

/*
 * The inlined calls have the numbers 1 to count - 1. -ENOENT for 0, and beyond the end.
 */
u32 objfile_inline_count(const struct objfile *o);
int objfile_inline_at(const struct objfile *o, u32 node, struct objfile_inline *out);

/*
 * The executable sections, in the order of addresses, from 0 to count - 1. -ENOENT
 * beyond the end.
 */
u32 objfile_code_count(const struct objfile *o);
int objfile_code_at(const struct objfile *o, u32 index, struct objfile_code *out);

/*
 * Copies up to `len` bytes of code from `vaddr` on into `buf`, up to the section's end.
 * Returns how many, or -ENOENT if no section with known code contains `vaddr`.
 */
long objfile_code(const struct objfile *o, u64 vaddr, void *buf, size_t len);

/*
 * Disassembly as text, for objects without code: instructions 0 to count - 1, in the
 * order of addresses. -ENOENT beyond the end. objfile_insn_index(): the number of the
 * first instruction at or above `vaddr`; count if there is none.
 */
struct objfile_insn {
    u64 addr;
    const char *text;
};

u32 objfile_insn_index(const struct objfile *o, u64 vaddr);
int objfile_insn_at(const struct objfile *o, u32 index, struct objfile_insn *out);

/*
 * The files from which the information was read, numbered from 0. -ENOENT beyond the
 * end.
 */
int objfile_source_at(const struct objfile *o, u32 index, struct objfile_source *out);

/* Sentences about what could not be read, 0 to count - 1; "" beyond the end. */
u32 objfile_note_count(const struct objfile *o);
const char *objfile_note(const struct objfile *o, u32 index);

/*
 * Opens the copy of source file `path` (as objfile_file() gives it) that `-A src` put
 * into the founder experiment `expdir`. A descriptor for the caller, or -errno.
 */
int objfile_open_source(int expdir, const char *path);

#endif
