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
 * Is the function one of the C++ or Rust standard library, by its name: a wrapper, or
 * one that allocates?
 */
bool frametext_is_wrapper(struct session *session, u32 function);

/*
 * Is the object a library that every program has, one of MPI, or the collector? A
 * program's author does not look for causes there.
 */
bool frametext_is_system(struct session *session, u32 object);

/*
 * Get the frame that represents a stack: the innermost one that is neither in the
 * language's library (frametext_is_wrapper()) nor in a system library nor _start(). If
 * all are, the innermost one that is not in the language's, or the outermost one. But
 * if that is in Python's interpreter or an extension module, the innermost interpreted
 * frame. 0; -ENOENT: the stack has no frames; or -ENOMEM.
 */
int frametext_place(struct session *session, u32 node, struct stack_frame *out);

/*
 * Get the frame that asked for a block of memory: like frametext_place(), but also skip
 * functions whose names say that they allocate, such as xmalloc() and g_strdup().
 */
int frametext_owner(struct session *session, u32 node, struct stack_frame *out);

#endif
