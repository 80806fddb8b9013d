/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes an object file (.ero): collects tables and strings, then writes them. Ordinary
 * process context; one thread for each writer. er_archive makes object files from load
 * objects; er_print makes them from what a process reported about code that it made at
 * run time. If memory runs out, all that is added afterwards is dropped, and
 * objwrite_save() returns -ENOMEM. Strings are copied.
 */
#ifndef ERTOOLS_ARCHIVE_OBJECT_OBJWRITE_H
#define ERTOOLS_ARCHIVE_OBJECT_OBJWRITE_H

#include "archive/object/cursor.h"
#include "archive/object/objrows.h"

/* A table that grows; `at` moves. */
struct objwrite_rows {
    void *at;
    u32 count;
    u32 capacity;
    u32 row;
};

/* An index by hash value, which finds the number of an equal string or row. */
struct objwrite_index {
    u64 *slots; /* hash << 32 | number + 1 */
    u32 mask;
    u32 count;
};

struct objwrite {
    int status; /* 0, or the first error */
    u64 base;   /* vaddr to which row addresses are relative; set before adding rows */
    u32 machine;
    u32 bits;
    bool big_endian;
    u32 flags; /* OBJFILE_HAS_* */
    u32 path;    /* string: the object's path, as a pool offset */
    u32 buildid; /* string: hex digits */
    u32 unread; /* string: which section could not be read, and why; 0: none */
    struct objwrite_rows table[OBJ_TABLES]; /* table[OBJ_bytes] has only a count */
    struct objwrite_rows code;              /* struct bytes: contents of OBJ_bytes */
    struct objwrite_index strings;
    struct objwrite_index files;
    struct objwrite_index funcs;
};

void objwrite_init(struct objwrite *w);
void objwrite_free(struct objwrite *w);

/*
 * The offset of a string in the pool; equal strings have the same offset. 0 for "", and
 * if memory has run out.
 */
u32 objwrite_string(struct objwrite *w, const char *s);

/*
 * The number of a source file; equal paths have the same number. 0 for "", and if
 * memory has run out.
 */
u32 objwrite_file(struct objwrite *w, const char *path);

/*
 * The number of a function; equal rows have the same number. Strings are pool offsets.
 * 0 if memory has run out.
 */
u32 objwrite_func(struct objwrite *w, const struct obj_func *func);

/* Appends a row to any other table and returns its number; UINT32_MAX: no memory. */
u32 objwrite_row(struct objwrite *w, enum obj_table_number table, const void *row);

/*
 * Appends an executable section. Its bytes are not copied: they must live until
 * objwrite_save(). If there are fewer than `size` bytes, the remaining code is not
 * known: the section that is written ends with them.
 */
void objwrite_code(struct objwrite *w, u64 addr, u64 size, const char *name,
                   struct bytes bytes);

/* Appends a note; after the 64th, notes are dropped. */
void objwrite_add_note(struct objwrite *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Gets the address relative to base; false if a row cannot have such an address. */
bool objwrite_address(const struct objwrite *w, u64 vaddr, u32 *addr);

/* Writes the whole file to `fd`, at its position. 0 or -errno. */
int objwrite_save(struct objwrite *w, int fd);

#endif
