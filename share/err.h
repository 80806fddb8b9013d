/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of a program to its user: one sentence per call. Errors and warnings begin
 * with the program's name. Normal context of ordinary processes; one thread. Each call
 * is one write(2), so that messages of several processes do not mix.
 */
#ifndef ERTOOLS_SHARE_ERR_H
#define ERTOOLS_SHARE_ERR_H

/*
 * Set the program's name, which is not copied, and the descriptor for messages. Before
 * this call, they are "ertools" and stderr's.
 */
void err_start(const char *program, int fd);

/* The descriptor to which messages go. */
int err_fd(void);

/* Print a sentence and a newline, without the program's name. */
__attribute__((format(printf, 1, 2))) void err_print(const char *format, ...);

/* `program: sentence`. */
__attribute__((format(printf, 1, 2))) void err_warn(const char *format, ...);

/* err_warn(), then exit(status). For main.c and print/cmd only. */
__attribute__((format(printf, 2, 3), noreturn)) void err_die(int status,
                                                             const char *format, ...);

#endif
