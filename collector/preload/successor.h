/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an exec is about to start: may it be handed our variables? A program that cannot
 * load the collector would hand them on, or its loader would complain. Any context in
 * which an exec may be called: a signal handler, a child that shares its parent's
 * memory. Keeps errno.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_SUCCESSOR_H
#define ERTOOLS_COLLECTOR_PRELOAD_SUCCESSOR_H

/*
 * NULL, or why the program will not load the collector: a sentence's part. dir, path
 * and flags are as execveat(2) has them. What is not known is taken for good.
 */
const char *successor_refuses(int dir, const char *path, int flags);

/* The same of a name that is looked for in PATH, as execvp(3) does. */
const char *successor_refuses_name(const char *name);

/* As execveat(2) has it: the file is the descriptor itself, and path empty. */
int successor_is_descriptor(const char *path, int flags);

#endif
