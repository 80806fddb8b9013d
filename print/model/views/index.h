/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Index objects (er_print -indxobj): sums of metrics by key. A key has the values of
 * one or several expressions, which are evaluated for each event.
 */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_INDEX_H
#define ERTOOLS_PRINT_MODEL_VIEWS_INDEX_H

#include "print/model/filter/filter.h"
#include "print/model/views/indexrow.h"
#include "print/model/views/row.h"

/* What the values of an expression are, and so how they are shown. */
enum index_form {
    INDEX_PLAIN, /* numbers */
    INDEX_HEX,   /* numbers, shown in hexadecimal */
    INDEX_CALL,  /* number of an MPI function */
    INDEX_CLASS, /* number of a Java class */
    INDEX_OMP_REGION, /* number of a place where OpenMP regions begin */
    INDEX_OMP_TASK, /* number of a place where OpenMP tasks are created */
    INDEX_COMM,  /* number of a communicator */
    INDEX_PROGRAM, /* number of a program */
    INDEX_REGION,  /* number of a region */
    INDEX_POWER, /* values are rounded down to powers of 2 */
};

/* What is summed up. */
enum index_scope {
    INDEX_ALL, /* all events, and CPU time without an event */
    /*
     * Only events that have a key; CPU time without an event is left out. A clock hit
     * stands for time of its thread before it that no other event stands for, so that
     * no moment counts twice.
     */
    INDEX_MOMENTS,
    INDEX_RECORDS, /* all events; only CPU time without an event is left out */
};

/*
 * How events are divided into index objects: by the values of up to INDEX_KEYS
 * expressions.
 */
struct index_def {
    const char *key[INDEX_KEYS]; /* expressions; NULL after the last one */
    enum index_form form;        /* what the last expression's values are */
    enum index_scope scope;
};

/*
 * The rows that have a value other than 0, sorted by key; events without a key come
 * first.
 */
struct index_rows {
    struct index_row *row;
    u32 count;
    struct values total;
};

/*
 * Sum up what passes the filter. 0 and *out for index_free(); -EINVAL and *error: an
 * expression is wrong; or another -errno.
 */
int index_build(struct session *session, const struct index_def *def,
                struct index_rows *out, struct filter_error *error);
void index_free(struct index_rows *rows);

/* Sort rows by a metric, largest first, or by key. */
void index_sort(struct index_rows *rows, const struct order *order);

#endif
