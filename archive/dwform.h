/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and interprets the values of DWARF attributes. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_DWFORM_H
#define ERTOOLS_ARCHIVE_DWFORM_H

#include "archive/dwfile.h"
#include "archive/dwnames.h"

/* A value, as the file has it. The functions below interpret it. */
struct dwvalue {
    u32 form; /* 0: the attribute is missing */
    u64 number;
    const char *string; /* of DW_FORM_string; points into the file */
};

/* The size in bytes of a form in units with these sizes; UINT32_MAX: it varies. */
u32 dwform_size(u32 form, u32 version, u32 addr_size, u32 off_size);

/* Reads the value of an attribute. */
void dwform_read(const struct dwunit *u, struct cursor *c, const struct dwattr *a,
                 struct dwvalue *v);

/* Skips all attributes of a DIE. */
void dwform_skip(const struct dwunit *u, struct cursor *c, const struct dwabbrev *a);

/* The string that a value means; NULL if the value is no string. */
const char *dwform_string(const struct dwunit *u, const struct dwvalue *v);

/* Gets the address that a value means; false if the value is no address. */
bool dwform_address(const struct dwunit *u, const struct dwvalue *v, u64 *addr);

/* Gets entry `index` of the unit's address table. */
bool dwform_indexed_address(const struct dwunit *u, u64 index, u64 *addr);

/*
 * The DIE to which a value refers: returns its unit, which has been started, and sets
 * *die to the offset. NULL: the value is no reference.
 */
struct dwunit *dwform_reference(struct dwunit *u, const struct dwvalue *v, u64 *die);

#endif
