/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names and declarations of functions, collected along abstract origins and
 * specifications. Ordinary process context.
 */
#ifndef ERTOOLS_ARCHIVE_DWARF_DWFUNC_H
#define ERTOOLS_ARCHIVE_DWARF_DWFUNC_H

#include "archive/dwarf/dwline.h"
#include "archive/dwarf/dwrange.h"

/*
 * The writer's row for the function whose DIE has abbreviation `a`, and attributes from
 * offset `attrs` on. 0 if the function has no name.
 */
u32 dwfunc_at(struct objwrite *w, struct dwline *line, struct dwunit *u,
              const struct dwabbrev *a, u64 attrs);

/*
 * The writer's row for the function to which `origin` refers; 0: it has no name, or
 * cannot be read. The row is computed once for each DIE.
 */
u32 dwfunc_referred(struct objwrite *w, struct dwline *line, struct dwunit *u,
                    const struct dwvalue *origin);

#endif
