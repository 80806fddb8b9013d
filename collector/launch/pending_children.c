/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/pending_children.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/inspect/account.h"
#include "collector/launch/family.h"

/*
 * Does this line of /proc/PID/maps describe the control page with this inode number (0
 * = any)?
 */
static int
is_control(const char *line, u64 inode)
{
    unsigned long long number;

    return strstr(line, "/" EXPERIMENT_CONTROL) &&
           sscanf(line, "%*s %*s %*s %*s %llu", &number) == 1 &&
           (!inode || number == inode);
}

/* Has the process mapped the control page? 1 or 0; -1: we may not read its mappings. */
static int
has_control(pid_t pid, u64 inode)
{
    char path[64], *line = NULL;
    size_t size = 0;
    int found = 0;
    FILE *maps;

    snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
    maps = fopen(path, "re");
    if (!maps)
        return -1;
    while (!found && getline(&line, &size, maps) > 0)
        found = is_control(line, inode);
    free(line);
    fclose(maps);
    return found;
}

/*
 * May this process be an announced child? born: when the founder's process started; no
 * child of it is older. If we may not read its mappings, the process counts if it is in
 * the founder's session: daemon()'s child is in it before its request.
 */
static int
may_be_child(const struct recording *s, pid_t pid, u64 born, u64 inode)
{
    int has;

    if (pid == getpid() || pid == s->pid || family_of_pid(s->family, pid) ||
        account_stat_field(pid, STAT_START) < born)
        return 0;
    has = has_control(pid, inode);
    return has < 0 ? account_stat_field(pid, STAT_SESSION) ==
                         account_stat_field(s->pid, STAT_SESSION)
                   : has;
}

int
pending_children_live(const struct recording *s)
{
    DIR *dir = opendir("/proc");
    u64 born = account_stat_field(s->pid, STAT_START);
    struct dirent *entry;
    struct stat st;
    int found = 0;

    if (!dir || !born)
        found = 1;
    if (fstatat(s->experiment.dir, EXPERIMENT_CONTROL, &st, AT_SYMLINK_NOFOLLOW) < 0)
        st.st_ino = 0;
    while (!found && (entry = readdir(dir))) {
        pid_t pid = (pid_t)strtol(entry->d_name, NULL, 10);

        found = pid > 0 && may_be_child(s, pid, born, st.st_ino);
    }
    if (dir)
        closedir(dir);
    return found;
}
