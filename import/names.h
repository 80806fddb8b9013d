/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects for formats that have names of functions, optionally files and lines, but no
 * addresses. Each function becomes a symbol of an object file in the experiment, and
 * each place in a function gets an address. Ordinary process context. Texts, functions
 * and places are numbers from 1 on; 0 is none. All places belong to one process. If
 * memory runs out: 0, and im->failed is set.
 */
#ifndef ERTOOLS_IMPORT_NAMES_H
#define ERTOOLS_IMPORT_NAMES_H

#include "import/import.h"

/* The number of a text; equal texts have the same number. 0 for an empty text. */
u32 names_text(struct import *im, const char *text, size_t len);

/* The text of a number; "" for 0. */
const char *names_text_of(const struct import *im, u32 text);

struct names_func {
    u32 object; /* text: the load object's name, 0 = not known */
    u32 name;   /* text */
    u32 file;   /* text: the file of its declaration, 0 = not known */
    u32 line;   /* of the declaration, 0 = not known */
};

u32 names_func(struct import *im, const struct names_func *func);

/*
 * A place in a function. `file` is a text; 0 = the file in which the function is
 * declared.
 */
struct names_place {
    u32 caller; /* the place where the function is inlined, 0 = not inlined */
    u32 func;
    u32 file;
    u32 line; /* 0 = not known */
};

u32 names_place(struct import *im, const struct names_place *place);

/*
 * Mark a place as an instruction, whose disassembly is the text `text`. The place must
 * have no file; its line only tells it from other instructions, and is not written.
 */
void names_place_text(struct import *im, u32 place, u32 text);

/* The stack node of a place, called from the node `parent`. */
u32 names_node(struct import *im, u32 process, u32 parent, u32 place);

/* Gives all places their addresses, and all objects their keys. 0 or -ENOMEM. */
int names_settle(struct import *im);

/* Write archives/KEY.ero for each object into the experiment `dir`. 0 or -errno. */
int names_describe(const struct import *im, int dir);

#endif
