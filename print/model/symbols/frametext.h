/* SPDX-License-Identifier: Apache-2.0 */
/* Frames as text for people: "alpha (mix.c:12)". Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FRAMETEXT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FRAMETEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "print/model/symbols/frames.h"

/* Write a frame by the session's name style, without a line end. */
void frametext_put(struct session *session, const struct stack_frame *frame, FILE *f);

/*
 * Does the function belong to a C++ or Rust library (a wrapper, or one that allocates)?
 */
bool frametext_is_wrapper(struct session *session, u32 function);

/*
 * Is the object a library that every program has, or of MPI? A program's author does
 * not look for causes there.
 */
bool frametext_is_system(struct session *session, u32 object);

/*
 * The frame that represents a stack: the innermost one that is not in the language's
 * library (such as operator new). -ENOENT if there is none, -ENOMEM.
 */
int frametext_place(struct session *session, u32 node, struct stack_frame *out);

/*
 * Find the frame that asked for a block of memory: like frametext_place(), but it also
 * skips functions whose names say that they allocate, such as xmalloc() and g_strdup().
 */
int frametext_owner(struct session *session, u32 node, struct stack_frame *out);

#endif
