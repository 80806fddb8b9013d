/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The experiment as the target has it: its directory, its mapped files, its log.
 * Normal context. No descriptor stays open but one of the directory, high up, and that
 * one is checked before each use: the target may have closed it and have its own there.
 */
#ifndef ERTOOLS_COLLECTOR_PRELOAD_EXPT_H
#define ERTOOLS_COLLECTOR_PRELOAD_EXPT_H

#include "share/logxml.h"
#include "share/record.h"
#include "share/types.h"

/*
 * Open the directory, map the control page and the first window of every data file.
 * 0 or -errno; on failure nothing is mapped and space_ctl is NULL.
 */
int expt_open(const char *path);

/* The process whose control page this one has takes no more part in its experiment. */
int expt_is_over(void);

/* 1: the launcher has left, and written the end: nothing more is logged. */
int expt_is_closed(void);

/*
 * In a forked child, whose windows of the data files are gone: the same with another
 * experiment. What was mapped of the control page stays if it is the founder's.
 */
int expt_open_again(const char *path);

/* In a forked child that is not recorded: close what we keep open. */
void expt_release(void);

/*
 * Close the experiment's directory. What is opened later is opened by its path, which
 * need not lead there any more: then descendants are not recorded.
 */
void expt_release_directory(void);

/* A descriptor of a file of the experiment to append to, close-on-exec; or -errno. */
int expt_append(const char *name);

/* The same to write anywhere in it. */
int expt_open_file(const char *name);

struct ctl;

/*
 * Map a control page, which is the caller's then, and close its file. fd: or -errno.
 * -EPROTO: it is none, or of another version; one that is too short is not looked at,
 * which would be a SIGBUS.
 */
int expt_map_page(int fd, struct ctl **page);

/* Write an event into log.xml; failures are nobody's business. See log_event(). */
void expt_event(enum er_event event, const char *arg1, const char *arg2,
                const struct log_attr *attrs, int nattrs);

/* The name of an error number, "EACCES"; a number where it has none. */
const char *expt_error_name(int error);

/*
 * 1 = a short descendant maps no file that only calls of libcollector.h write; one of
 * them maps it then, after which records find room.
 */
extern u32 expt_few_files;
void expt_map_late(enum er_file file);

/* This process's id as it was when recording started. */
extern u32 expt_pid;

#endif
