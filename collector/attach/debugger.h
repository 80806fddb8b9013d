/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A debugger that traces the target. A process can have only one tracer, so the
 * debugger reads registers and makes calls on behalf of collect. Both exchange lines
 * over a socket on which the debugger listens; doc/ARCHITECTURE.md lists the lines.
 * Normal context of the launcher, one thread.
 */
#ifndef ERTOOLS_COLLECTOR_ATTACH_DEBUGGER_H
#define ERTOOLS_COLLECTOR_ATTACH_DEBUGGER_H

#include <stddef.h>
#include <sys/types.h>
#include <sys/user.h>

#include "share/types.h"

enum { DEBUGGER_LINE = 512 };

/* What the debugger said when a request below last failed with -EIO; "" = nothing. */
const char *debugger_reason(void);

/* Connect to the debugger's socket. 0 or -errno. */
int debugger_connect(const char *path);

/* The debugger's process id; 0 = there is no debugger, or it has ended. */
pid_t debugger_pid(void);

/*
 * 1 while the debugger answers the requests below: from debugger_set_target() until
 * debugger_send_last(). pidfd: the target's; when the target ends, all waiting ends.
 */
int debugger_answers(void);
void debugger_set_target(int pidfd);

/* Set the address of libc's syscall() in the target. */
void debugger_set_syscall(u64 address);

/* The thread that the debugger's user has selected, 0 = none. */
pid_t debugger_thread(void);

/* Get a thread's registers from the debugger. This and the next four: 0 or -errno. */
int debugger_registers(pid_t tid, struct user_regs_struct *regs);

/* Have a thread call a function; alone: no other thread runs in the meantime. */
int debugger_call(pid_t tid, int alone, u64 function, u64 arg, u64 *result);

/*
 * Have a thread make a system call; *result is -1 if the call fails. alone: as above; 0
 * for a call that waits.
 */
int debugger_syscall(pid_t tid, int alone, long number, const u64 arg[6], u64 *result);

/* Read and write the target's memory. */
int debugger_read(u64 from, void *to, size_t bytes);
int debugger_write(u64 to, const void *from, size_t bytes);

/* Send the debugger a line, after which it answers no more. */
__attribute__((format(printf, 1, 2))) void debugger_send_last(const char *format, ...);

/* Let the kernel send SIGIO when the debugger sends something. */
void debugger_listen(void);

/* Get the next line that the debugger has sent unasked: 1; 0 if there is none. */
int debugger_hear(char line[DEBUGGER_LINE]);

#endif
