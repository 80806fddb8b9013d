/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON as a table of values; each is followed by the values within it. Value 0 is the
 * whole text. Functions that look for a value return 0 if there is none. Ordinary
 * process context.
 */
#ifndef ERTOOLS_IMPORT_JSON_H
#define ERTOOLS_IMPORT_JSON_H

#include "import/import.h"

struct json_value {
    u64 at;    /* offset in the text; of a string, past the quote */
    u32 len;   /* bytes of a string without quotes, of a number or a word */
    u32 next;  /* index of the first value after this one and all within it */
    char kind; /* '{', '[', '"', '0' for a number, 'w' for a word such as null */
};

struct json {
    struct import *im;
    struct bytes text;
    struct json_value *value;
    u32 count, room;
};

/* 0, and json_free() must be called later; -ENOEXEC: the text is not JSON; -ENOMEM. */
int json_parse(struct json *j, struct import *im, struct bytes text);
void json_free(struct json *j);

/* The value of an object's member with that name; 0 = there is none. */
u32 json_member(const struct json *j, u32 object, const char *name);

/*
 * json_first(): the first element of an array; json_next(): the element after
 * `element`; 0 = none.
 */
u32 json_first(const struct json *j, u32 array);
u32 json_next(const struct json *j, u32 array, u32 element);

/* How many elements an array has. */
u32 json_count(const struct json *j, u32 array);

/* The value as a number; 0 if it is not a finite number of up to 64 bytes. */
double json_number(const struct json *j, u32 value);

/* The value as an integer; `other` if it is no number, is negative, or too large. */
u32 json_index(const struct json *j, u32 value, u32 other);

/*
 * The value as a string, which lives as long as the import; "" if it is not a string.
 * What is beyond 64 KiB is cut off.
 */
const char *json_string(const struct json *j, u32 value);

#endif
