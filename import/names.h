/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects for formats that know names of functions, and perhaps files and lines, but no
 * addresses. Each function becomes a symbol of an object file that comes with the
 * experiment, and each place in it an address. Ordinary process context.
 *
 * Texts, functions and places are numbers from 1 on; 0 is none. All places are of one
 * process. Out of memory: 0, and im->failed.
 */
#ifndef ERTOOLS_IMPORT_NAMES_H
#define ERTOOLS_IMPORT_NAMES_H

#include "import/import.h"

/* The number of a text, the same for the same text; 0 for an empty one. */
u32 names_text(struct import *im, const char *text, size_t len);

/* The text of a number; "" for 0. */
const char *names_text_of(const struct import *im, u32 text);

struct names_func {
    u32 object; /* text: the load object's name, 0 = not known */
    u32 name;   /* text */
    u32 file;   /* text: where it is declared, 0 = not known */
    u32 line;   /* of the declaration, 0 = not known */
};

u32 names_func(struct import *im, const struct names_func *func);

/* A place in a function. The file is a text; 0 = the one of the declaration. */
struct names_place {
    u32 caller; /* the place where the function is inlined; 0 = it is not */
    u32 func;
    u32 file;
    u32 line; /* 0 = not known */
};

u32 names_place(struct import *im, const struct names_place *place);

/* A place is an instruction, which reads so; it has no file and line then. */
void names_place_text(struct import *im, u32 place, u32 text);

/* The stack node of a place. */
u32 names_node(struct import *im, u32 process, u32 parent, u32 place);

/* Give all places their addresses, and the objects their keys. 0 or -ENOMEM. */
int names_settle(struct import *im);

/* Write archives/KEY.ero of each object in the directory of an experiment. 0, -errno */
int names_describe(const struct import *im, int dir);

void names_free(struct import *im);

#endif
