/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment in the target: its directory, its mapped files, its log. Normal
 * context. Descriptors of the directory, log.xml and map.xml stay open, with high
 * numbers. Each is checked before it is used, since the target may have closed it and
 * reused its number.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_EXPT_H
#define ERTOOLS_COLLECTOR_PRELOAD_EXPT_H

#include "share/logxml.h"
#include "share/record.h"
#include "share/types.h"

/*
 * Map the control page, and the first window of each data file that exists (but see
 * expt_few_files); keep the directory, log.xml and map.xml open. 0 or -errno; on
 * failure space_ctl is NULL, and no data file is mapped.
 */
int expt_open(const char *path);

/*
 * 1: the recording that used the mapped control page has ended, no page is mapped, or
 * the page serves another process by now.
 */
int expt_is_over(void);

/* 1: the launcher has left and has written the log's end: log nothing more. */
int expt_is_closed(void);

/*
 * expt_open() for a forked child, with its own experiment; it has not inherited the
 * windows of the data files. If the mapped control page is the founder's, it stays
 * mapped.
 */
int expt_open_again(const char *path);

/*
 * Call in a forked child that is not recorded: closes the descriptors that we keep
 * open.
 */
void expt_release(void);

/*
 * Close the descriptor of the experiment's directory; later, files are opened by path.
 * If the path is not valid then, descendants are not recorded.
 */
void expt_release_directory(void);

/*
 * A descriptor of a file of the experiment to append to, close-on-exec; or -errno.
 * -EPERM: system calls are restricted, or the log is closed.
 */
int expt_append(const char *name);

/* A descriptor of a file that is written at any offset, or -errno. */
int expt_open_file(const char *name);

struct ctl;

/*
 * Map a control page, which the caller then owns, and close fd. fd: a descriptor or
 * -errno, which is returned. -EPROTO: the file is not a control page, or has another
 * version. Its size is checked first, as reading a short file would raise SIGBUS.
 */
int expt_map_page(int fd, struct ctl **page);

/* Write an event into log.xml; failures are only counted. See log_event(). */
void expt_event(enum er_event event, const char *arg1, const char *arg2,
                const struct log_attr *attrs, int nattrs);

/*
 * The name of an error number, such as "EACCES"; if it has none, the number, in a
 * static buffer.
 */
const char *expt_error_name(int error);

/*
 * 1 = a descendant whose files begin small does not map the file overview at its start.
 * expt_map_late() maps a file that exists and is not mapped yet.
 */
extern u32 expt_few_files;
void expt_map_late(enum er_file file);

#endif
