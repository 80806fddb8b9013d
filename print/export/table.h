/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A view's content: columns, rows, and facts about the whole. A command makes it; a
 * renderer turns it into text, separated values or json. Ordinary process context; a
 * table owns its strings, and table_free() frees them.
 */
#ifndef ERTOOLS_PRINT_EXPORT_TABLE_H
#define ERTOOLS_PRINT_EXPORT_TABLE_H

#include <stdbool.h>

#include "print/export/mem.h"
#include "share/types.h"

/* The type of a column's cells. It decides which member of a cell's union is used. */
enum column_type {
    COL_TEXT,    /* a string */
    COL_LIST,    /* strings, separated by '\n' */
    COL_BOOL,    /* yes or no */
    COL_COUNT,   /* an integer; its unit is the column's */
    COL_NS,      /* signed ns; shown as seconds */
    COL_PERCENT, /* a double, 100 = all */
    COL_REAL,    /* a double */
    COL_ADDRESS, /* shown in hexadecimal */
    COL_BAR,     /* a double from 0 to 1; drawn on a screen, and nowhere else */
};

enum column_flag {
    COL_TEXT_ONLY = 1, /* drawn for the eye: tree lines, stars, marks */
    COL_DATA_ONLY = 2, /* left out of text */
    COL_JOINED = 4,    /* text: under the heading of the previous column */
    COL_LEFT = 8,      /* text: a number aligned to the left */
    COL_SPARSE = 16,   /* text: zero is left blank */
    COL_BEGINNING = 32, /* text: if it is too long, its end is left out, not its
                           middle */
    COL_DETAIL = 64,    /* text: left out where the screen has no room for it */
    COL_TREE = 128,     /* text: cells begin with the lines of a tree, see tree.h */
    COL_BYTES = 256,    /* text: bytes, as the title says; shown in MiB etc. from 1
                           MiB on */
};

struct column {
    const char *key;   /* json's name, unique in the table */
    const char *title; /* lines of the heading, separated by '\n' */
    const char *unit;  /* "" = none */
    enum column_type type;
    unsigned flags;
};

enum cell_state {
    CELL_EMPTY, /* unknown or does not apply: blank, json null */
    CELL_SET,
};

struct cell {
    union {
        const char *text;
        u64 number; /* COL_BOOL, COL_COUNT, COL_NS (as int64_t), COL_ADDRESS */
        double real; /* COL_PERCENT, COL_REAL, COL_BAR */
    };
    enum cell_state state;
    u32 length; /* of a list that table_line() has made; else 0 */
};

enum row_flag {
    ROW_GAP = 1,  /* text: an empty line precedes it */
    ROW_HOT = 2,  /* takes most of the time */
    ROW_SELF = 4, /* the subject of the rows around it */
    ROW_NOTE = 8, /* remarks on the rows around it */
};

struct table_row {
    struct cell *cells; /* one per column */
    unsigned flags;
    u32 function; /* the model's id of the row's function, 0 = none */
};

/* A fact about the whole: "Load object: /bin/true". */
struct fact {
    const char *key;
    const char *title;
    const char *value;
    const char *shown; /* the value as text shows it; NULL = as in `value` */
};

/* How text shows the table; separated values and json ignore this. */
enum table_layout {
    LAYOUT_COLUMNS, /* a heading, then a line per row */
    LAYOUT_BLOCKS,  /* a block per row: the first column, then a line for each other
                       one */
    LAYOUT_PLAIN,   /* a line per row, cells unformatted, one blank between them */
    LAYOUT_PROSE,   /* a paragraph per row: see prose.h */
};

struct table {
    const char *command;
    const char *title; /* "" = none */
    enum table_layout layout;
    struct fact *facts;
    struct column *columns;
    struct table_row *rows;
    u32 nfacts;
    u32 ncolumns;
    u32 nrows;
    u64 nleft_out; /* number of rows left out because of the limit */
    struct arena arena;
    struct table *next; /* the command's next table, or NULL; all of them have titles */
};

/* Make an empty table. command: its name in commands.def. */
struct table *table_new(const char *command, enum table_layout layout);
void table_free(struct table *t); /* also frees the tables that follow it */

/*
 * Append a table to the list *first, which owns it then. *first may be NULL: an empty
 * list.
 */
void table_follow(struct table **first, struct table *last);

void table_title(struct table *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Add a fact, unless the value is empty or NULL. The texts are copied. */
void table_fact(struct table *t, const char *key, const char *title, const char *value);

/* Add a fact: a number of bytes. Text shows it in MiB etc. from one MiB on. */
void table_fact_bytes(struct table *t, const char *key, const char *title, u64 bytes);

/* Add a fact: a number of blocks and their bytes, then a text: "3 blocks, 24.1 MiB". */
void table_fact_blocks(struct table *t, const char *key, const char *title, u64 blocks,
                       u64 bytes, const char *after);

/*
 * Add a column before the first row; returns its number. key, title, unit are copied.
 */
u32 table_column(struct table *t, const char *key, const char *title, const char *unit,
                 enum column_type type, unsigned flags);

/*
 * Begin a row, whose cells are all empty. The functions below fill cells of the last
 * row.
 */
void table_row(struct table *t, unsigned flags);

/* Set the function (the model's id) that the last row is about. */
void table_function(struct table *t, u32 function);

/* Fill a cell of the last row. Text is copied; NULL leaves the cell empty. */
void table_text(struct table *t, u32 column, const char *text);
void table_format(struct table *t, u32 column, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void table_number(struct table *t, u32 column, u64 number); /* integers and bools */
void table_real(struct table *t, u32 column, double real);

/* Append a string to a COL_LIST cell; line ends in it become blanks. */
void table_line(struct table *t, u32 column, const char *text);

#endif
