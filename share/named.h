/* SPDX-License-Identifier: Apache-2.0 */
/* The record `named` gives a name to an id that other records use. */
#ifndef ERTOOLS_SHARE_NAMED_H
#define ERTOOLS_SHARE_NAMED_H

/* To what the name belongs (named.kind). */
enum er_named_kind {
    NAMED_CLASS = 1, /* object.class */
    NAMED_THREAD,    /* a row of the file threads: its name in a Java machine */
    NAMED_OBJECT,    /* wait.object: a Java object's class and number */
};

#endif
