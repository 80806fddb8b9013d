/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Can the collector be loaded into a program? Only reads the program's file, and needs
 * little stack. Any process: the launcher asks this about the target; the target, also
 * in a vfork child, asks it about a program that it is about to exec.
 */
#ifndef ERTOOLS_SHARE_IMAGE_H
#define ERTOOLS_SHARE_IMAGE_H

#include <stddef.h>

enum image_kind {
    IMAGE_DYNAMIC, /* the collector can be loaded */
    IMAGE_UNREAD,  /* its file cannot be read, so it is not known */
    IMAGE_SCRIPT,  /* its first line names an interpreter */
    IMAGE_TEXT,    /* neither a program nor such a script: a shell may run it */
    IMAGE_STATIC,  /* no dynamic loader */
    IMAGE_NARROW,  /* 32-bit */
    IMAGE_FOREIGN, /* code for another processor */
    IMAGE_SECURE,  /* setuid, setgid or file capabilities */
    IMAGE_MUSL,    /* musl's loader: the collector needs glibc */
    IMAGE_GO,      /* Go without cgo, though with a dynamic loader */
    IMAGE_DAMAGED, /* its ELF headers make no sense */
    IMAGE_CRAMPED, /* its memory limit is too small for the collector */
    IMAGE_KINDS,
};

enum {
    IMAGE_SCRIPT_DEPTH = 5, /* interpreters of interpreters, as the kernel has it */
    IMAGE_LINE = 256,       /* the kernel reads as much of a script's first line */
};

/*
 * Examine the open file fd; `name` is its path, or the end of it. If it is a script,
 * interpreter gets the path of the program that runs it; else it is unchanged.
 */
enum image_kind image_read(int fd, const char *name, char interpreter[IMAGE_LINE]);

/* Will the dynamic loader load the collector? If the file is unread, assume so. */
int image_loads(enum image_kind kind);

/*
 * Is the program at that path a 64-bit Go program, with or without cgo? Go's runtime
 * creates processes by system calls of its own.
 */
int image_is_go(const char *path);

/*
 * Get the absolute path of the dynamic loader that the 64-bit program at `path` names,
 * with a zero, in at most `size` bytes. 1; or 0: there is none, or it is too long.
 */
int image_loader(const char *path, char *loader, size_t size);

/*
 * Why the collector cannot be loaded, as part of a sentence ("it is statically
 * linked").
 */
const char *image_reason(enum image_kind kind);

/* The kind for which image_reason() gives this very pointer; IMAGE_KINDS: none. */
enum image_kind image_of_reason(const char *reason);

/*
 * Can stacks of the program be unwound from outside, though it does not load the
 * collector?
 */
int image_is_walked(enum image_kind kind);

/* The reason if a program could load the collector, but was not given LD_PRELOAD. */
extern const char image_unhanded[];

/* The reason if a process may not access the collector's files. */
extern const char image_no_reach[];

/*
 * What the user can do about it, to be appended to a sentence with that reason ("; link
 * it dynamically"); "" if nothing.
 */
const char *image_remedy(const char *reason);

#endif
