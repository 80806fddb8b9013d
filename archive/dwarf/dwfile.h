/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The DWARF sections of one file, its units and their abbreviations: versions 2 to 5,
 * 32- and 64-bit, any byte order, split units, shared (alternate) files. Ordinary
 * process context; one thread for each file. Nothing in the file is trusted.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWFILE_H
#define ERTOOLS_ARCHIVE_DWARF_DWFILE_H

#include "archive/dwarf/dwform.h"
#include "archive/dwarf/dwunit.h"

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
 * The abbreviation of the DIE at the cursor, which is moved past the DIE's code. NULL
 * at the end of a list of siblings (code 0), and if the code is unknown (then c->bad is
 * set).
 */
const struct dwabbrev *dwfile_abbrev(const struct dwunit *u, struct cursor *c);

/* A cursor at an offset in the file's .debug_info; it cannot leave the unit. */
struct cursor dwfile_cursor(const struct dwunit *u, u64 offset);

/*
 * The DIE to which a value refers: returns its unit, which has been started, and sets
 * *die to the offset. NULL: the value is not a reference, or no usable unit has such a
 * DIE; *die is undefined then.
 */
struct dwunit *dwfile_reference(struct dwunit *u, const struct dwvalue *v, u64 *die);

#endif
