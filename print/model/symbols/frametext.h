/* SPDX-License-Identifier: Apache-2.0 */
/* Frames as text for people: "alpha (mix.c:12)". Ordinary process context. */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_FRAMETEXT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_FRAMETEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "print/model/symbols/frames.h"

/* Write a frame by the session's name style; there is no line end within. */
void frametext_put(struct session *session, const struct stack_frame *frame, FILE *f);

/* Wrappers of what was called, and what allocates, in libraries of C++ and Rust. */
bool frametext_is_wrapper(struct session *session, u32 function);

/* Of the libraries that every program has, or of MPI: not where its author looks. */
bool frametext_is_system(struct session *session, u32 object);

/*
 * The frame that represents a stack: the innermost one that is not in the language's
 * library (such as operator new). -ENOENT if there is none, -ENOMEM.
 */
int frametext_place(struct session *session, u32 node, struct stack_frame *out);

/*
 * Who wanted a block of memory: the same without functions whose names say that they
 * allocate, such as xmalloc() and g_strdup().
 */
int frametext_owner(struct session *session, u32 node, struct stack_frame *out);

#endif
