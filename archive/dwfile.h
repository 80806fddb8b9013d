/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DWARF sections of one file, its units and their abbreviations: versions 2 to 5,
 * 32- and 64-bit, any byte order, split units, shared (alternate) files. Ordinary
 * process context; one thread for each file. Nothing in the file is trusted.
 */
#ifndef ERTOOLS_ARCHIVE_DWFILE_H
#define ERTOOLS_ARCHIVE_DWFILE_H

#include "archive/dwmemo.h"
#include "archive/image.h"

struct dwlines;
struct dwscopes;

/* Attribute of an abbreviation. */
struct dwattr {
    uint16_t name; /* DW_AT_* */
    uint16_t form; /* DW_FORM_* */
    int64_t value; /* of DW_FORM_implicit_const */
};

struct dwabbrev {
    u64 code;
    u32 tag;
    u32 first; /* index of the first attribute in the table */
    u32 count;
    u32 size;  /* bytes of all attributes together; UINT32_MAX: varies */
    bool children;
    bool sibling; /* has DW_AT_sibling */
};

/* One table of abbreviations; it serves all units with the same version and sizes. */
struct dwabbrevs {
    struct dwabbrevs *next;
    u64 offset;
    u32 shape;
    struct dwabbrev *at;
    u32 count;
    struct dwattr *attrs;
    u32 attr_count;
};

struct dwunit {
    struct dwfile *file;
    struct dwunit *skeleton; /* of a split unit: has its addresses and lines */
    u64 offset; /* of its header, in .debug_info */
    u64 die;    /* of its first DIE */
    u64 end;
    u32 version;
    u32 addr_size;
    u32 off_size;
    u32 type; /* DW_UT_*; 0 before version 5 */
    u64 abbrev_offset;
    const struct dwabbrevs *abbrevs; /* NULL until dwfile_start() */
    bool bad;
    /* From the first DIE: */
    u32 tag;
    bool has_lines;
    bool has_dwo_id;
    u64 line_offset;
    u64 low_pc;
    u64 addr_base;
    u64 str_base;
    u64 rng_base;    /* DW_AT_rnglists_base or DW_AT_GNU_ranges_base */
    u64 rng_section; /* in a .dwp: where this unit's part of .debug_rnglists begins */
    u64 dwo_id;
    const char *name;
    const char *comp_dir;
    const char *dwo_name;
    struct dwlines *lines; /* its file table; see dwline.h */
    struct dwscopes *scopes; /* NULL until wanted; see dwscope.h */
};

struct dwfile {
    struct image *img;
    struct bytes info, abbrev, str, line, line_str, ranges, rnglists, addr, str_offsets;
    bool split; /* a .dwo or .dwp */
    struct dwfile *alt;
    struct dwunit *units; /* by offset */
    u32 unit_count;
    struct dwabbrevs *tables[256];
    struct dwmemo funcs; /* the function row that stands for a DIE, by its offset */
};

/*
 * Finds the DWARF sections of an image, which must outlive the file, and its units.
 * split: the file is a .dwo or .dwp. 0; -ENODATA: there is no .debug_info; -ENOMEM.
 * *bad_at is the offset in .debug_info from which on no unit could be read, or
 * UINT64_MAX. On success, call dwfile_free() later.
 */
int dwfile_open(struct dwfile *f, struct image *img, bool split, u64 *bad_at);

void dwfile_free(struct dwfile *f);

/* The unit that contains the offset `at` in .debug_info, or NULL. */
struct dwunit *dwfile_unit(struct dwfile *f, u64 at);

/*
 * Reads the unit's abbreviations and its first DIE, once. False if the unit is
 * unusable.
 */
bool dwfile_start(struct dwunit *u);

/*
 * The abbreviation of the DIE at the cursor, which is moved behind the DIE's code. NULL
 * at the end of a list of siblings (code 0), and if the code is unknown (then c->bad is
 * set).
 */
const struct dwabbrev *dwfile_abbrev(const struct dwunit *u, struct cursor *c);

/* A cursor at an offset in the file's .debug_info; it cannot leave the unit. */
struct cursor dwfile_cursor(const struct dwunit *u, u64 offset);

#endif
