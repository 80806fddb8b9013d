/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Properties of the main program that decide how it can be recorded. Normal context, in
 * the constructor.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_PROGRAM_H
#define ERTOOLS_COLLECTOR_PRELOAD_PROGRAM_H

enum program_kind {
    PROGRAM_USUAL,
    PROGRAM_GO,      /* Go with libc: the runtime uses SIGURG, sets masks by itself */
    PROGRAM_GO_BARE, /* Go without libc: the runtime also makes threads and TLS */
};

enum program_kind program_kind(void);

/* 1 if [p, end) has a note whose owner is "Go" (cmd/link: .note.go.buildid). */
int program_has_go_note(const char *p, const char *end);

/* Start the sanitizer that the program may have, before its functions are called. */
void program_start_sanitizer(void);

#endif
