/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and interprets the values of DWARF attributes. Ordinary process context. */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWFORM_H
#define ERTOOLS_ARCHIVE_DWARF_DWFORM_H

#include "archive/dwarf/dwunit.h"
#include "archive/dwarf/dwnames.h"

/* A value, as the file has it. The functions below interpret it. */
struct dwvalue {
    u32 form; /* 0: the attribute is missing */
    u64 number; /* a number, flag, address, offset or index; else 0 */
    const char *string; /* the string, if DW_FORM_string, in the file; else NULL */
};

/* The size in bytes of a form in units with these sizes; UINT32_MAX: it varies. */
u32 dwform_size(u32 form, u32 version, u32 addr_size, u32 off_size);

/* Reads the value of an attribute. */
void dwform_read(const struct dwunit *u, struct cursor *c, const struct dwattr *a,
                 struct dwvalue *v);

/* Skips all attributes of a DIE. */
void dwform_skip(const struct dwunit *u, struct cursor *c, const struct dwabbrev *a);

/* The string that a value means; NULL: not a string; "": it cannot be found. */
const char *dwform_string(const struct dwunit *u, const struct dwvalue *v);

/* Gets the address that a value means; false if the value is not an address. */
bool dwform_address(const struct dwunit *u, const struct dwvalue *v, u64 *addr);

/* Gets entry `index` of the unit's address table; false if there is none. */
bool dwform_indexed_address(const struct dwunit *u, u64 index, u64 *addr);

#endif
