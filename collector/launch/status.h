/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Exit statuses of collect itself; all others are the target's. 125 to 127 mean what
 * they mean for shells, env(1) and timeout(1). doc/man/collect.1 describes all of them.
 */
#ifndef ERTOOLS_LAUNCH_STATUS_H
#define ERTOOLS_LAUNCH_STATUS_H

enum launch_status {
    STATUS_OK = 0,
    STATUS_NO_BRANCHES = 118, /* this machine keeps no record of branches (-b) */
    STATUS_NOT_ATTACHED = 119, /* collect cannot attach to the process */
    STATUS_USAGE = 120,        /* a bad option or value, or no target */
    STATUS_EXISTS = 121,       /* the experiment exists already */
    STATUS_DIRECTORY = 122,    /* no experiment can be made in the directory */
    STATUS_FULL = 123,         /* no space for an experiment */
    STATUS_OUTPUT = 124,       /* the file of -O or -g cannot be written */
    STATUS_FAILED = 125,       /* collect itself failed */
    STATUS_NOT_RUNNABLE = 126, /* the target cannot be executed */
    STATUS_NOT_FOUND = 127,    /* there is no such target */
};

#endif
