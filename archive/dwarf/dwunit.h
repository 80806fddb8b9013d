/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known of one file with DWARF, of its units and their abbreviations. Ordinary
 * process context; one thread for each file. dwfile.h fills it in.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWUNIT_H
#define ERTOOLS_ARCHIVE_DWARF_DWUNIT_H

#include "archive/dwarf/dwmemo.h"
#include "archive/elf/image.h"

struct dwlines;
struct dwscopes;

/* Attribute of an abbreviation. */
struct dwattr {
    uint16_t name; /* DW_AT_* */
    uint16_t form; /* DW_FORM_* */
    int64_t value; /* the value, if DW_FORM_implicit_const; else 0 */
};

struct dwabbrev {
    u64 code;
    u32 tag;
    u32 first; /* index of the first attribute in the table's attrs */
    u32 count; /* attributes */
    u32 size;  /* bytes of all values together in a DIE; UINT32_MAX: varies */
    bool children;
    bool sibling; /* has DW_AT_sibling */
};

/* One table of abbreviations; it serves all units with the same version and sizes. */
struct dwabbrevs {
    struct dwabbrevs *next;
    u64 offset; /* in .debug_abbrev */
    u32 shape;  /* version and sizes of its units, packed */
    struct dwabbrev *at;
    u32 count;
    struct dwattr *attrs;
    u32 attr_count;
};

struct dwunit {
    struct dwfile *file;
    struct dwunit *skeleton; /* of a split unit: the one with its addresses and lines */
    u64 offset; /* of the unit's header, in .debug_info */
    u64 die;    /* offset of the first DIE */
    u64 end;    /* offset past the unit */
    u32 version;
    u32 addr_size;
    u32 off_size;
    u32 type; /* DW_UT_*; 0 before version 5 */
    u64 abbrev_offset;
    const struct dwabbrevs *abbrevs; /* NULL until dwfile_start() */
    bool bad; /* the unit is unusable */
    /* From the first DIE: */
    u32 tag;
    bool has_lines;
    bool has_dwo_id;
    u64 line_offset;
    u64 low_pc;
    u64 addr_base;
    u64 str_base;
    u64 rng_base;    /* DW_AT_rnglists_base or DW_AT_GNU_ranges_base */
    u64 rng_section; /* offset of its part of .debug_rnglists in a .dwp, else 0 */
    u64 dwo_id;
    const char *name;
    const char *comp_dir;
    const char *dwo_name;
    struct dwlines *lines; /* its line table, NULL until needed; see dwline.h */
    struct dwscopes *scopes; /* NULL until wanted; see dwscope.h */
};

struct dwfile {
    struct image *img;
    struct bytes info, abbrev, str, line, line_str, ranges, rnglists, addr, str_offsets;
    bool split; /* a .dwo or .dwp */
    struct dwfile *alt; /* borrowed: the shared file that this one refers to, or NULL */
    struct dwunit *units; /* sorted by offset */
    u32 unit_count;
    struct dwabbrevs *tables[256];
    struct dwmemo funcs; /* by offset of a DIE: the writer's row for its function */
};

#endif
