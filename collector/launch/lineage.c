/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/lineage.h"

#include <errno.h>
#include <fcntl.h>
#include <regex.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collector/launch/member.h"
#include "collector/launch/rank.h"

enum {
    LINEAGE_BYTES = 120, /* a descendant of a creator with a longer name is named _dN */
};

/* How many descendants of each kind a process has created so far. */
struct creator {
    char name[ER_NAME_BYTES];
    u32 made[HOW_COUNT];
};

struct lineage {
    const struct recording *founder;
    void *creators; /* a tree of tsearch(3), by name */
    u32 distant;    /* descendants whose lineage was too long for a name */
    regex_t only;
    int has_only;
};

struct lineage *
lineage_start(const struct recording *founder)
{
    const char *only = founder->request->follow_only;
    struct lineage *l = calloc(1, sizeof(*l));
    char whole[4096];

    if (!l)
        return NULL;
    l->founder = founder;
    if (only) {
        snprintf(whole, sizeof(whole), "^(%s)$", only);
        l->has_only = regcomp(&l->only, whole, REG_EXTENDED | REG_NOSUB) == 0;
    }
    return l;
}

void
lineage_free(struct lineage *l)
{
    if (l->has_only)
        regfree(&l->only);
    tdestroy(l->creators, free);
    free(l);
}

static int
compare_creators(const void *a, const void *b)
{
    const struct creator *x = a, *y = b;

    return strcmp(x->name, y->name);
}

/* Find the counts of a creator, or make them. NULL: no memory. */
static struct creator *
creator_of(struct lineage *l, const char *name)
{
    struct creator *creator = calloc(1, sizeof(*creator)), **found;

    if (!creator)
        return NULL;
    strcpy(creator->name, name);
    found = tsearch(creator, &l->creators, compare_creators);
    if (!found || *found != creator)
        free(creator);
    return found ? *found : NULL;
}

/*
 * Does the request come from a rank of an MPI program? Not if a rank has created the
 * process, or if there is an experiment of that rank already.
 */
static int
is_rank(const struct lineage *l, const struct ctl_request *request)
{
    char name[ER_NAME_BYTES];
    struct stat st;

    if (!l->founder->request->ranks || !request->rank ||
        !strncmp(request->creator, RANK_PREFIX, strlen(RANK_PREFIX)))
        return 0;
    snprintf(name, sizeof(name), RANK_PREFIX "%u" EXPERIMENT_SUFFIX, request->rank - 1);
    return fstatat(member_home(l->founder), name, &st, AT_SYMLINK_NOFOLLOW) < 0;
}

int
lineage_name(struct lineage *l, const struct ctl_request *request,
             char name[ER_NAME_BYTES])
{
    struct creator *creator = creator_of(l, request->creator);
    int len = (int)strlen(request->creator) - (int)strlen(EXPERIMENT_SUFFIX);
    u32 n, how = request->how;

    if (!creator)
        return -ENOMEM;
    if (is_rank(l, request)) {
        snprintf(name, ER_NAME_BYTES, RANK_PREFIX "%u" EXPERIMENT_SUFFIX,
                 request->rank - 1);
        return 0;
    }
    if (len > LINEAGE_BYTES) {
        snprintf(name, ER_NAME_BYTES, "_d%u" EXPERIMENT_SUFFIX, ++l->distant);
        return 0;
    }
    n = ++creator->made[how == HOW_SPAWN ? HOW_FORK : how];
    snprintf(name, ER_NAME_BYTES, "%.*s_%c%u%s" EXPERIMENT_SUFFIX, len > 0 ? len : 0,
             request->creator, "fxfc"[how], n, how == HOW_SPAWN ? "_x1" : "");
    return 0;
}

/*
 * For when only ranks are wanted: is it a rank, or a program that a rank has become by
 * exec?
 */
static int
is_of_rank(const struct lineage *l, const struct ctl_request *request)
{
    const char *made = request->creator;

    if (is_rank(l, request))
        return 1;
    return request->how == HOW_EXEC &&
           !strncmp(made, RANK_PREFIX, strlen(RANK_PREFIX)) && !strstr(made, "_f") &&
           !strstr(made, "_c");
}

int
lineage_wants(const struct lineage *l, const struct ctl_request *request, pid_t pid)
{
    char path[PATH_MAX], comm[64];
    const char *slash;
    FILE *file;
    int found;

    if (!l->founder->request->follow)
        return is_of_rank(l, request);
    if (!l->has_only)
        return 1;
    /* A process that is sampled from outside may not have called exec yet. */
    if (request->beyond)
        return regexec(&l->only, request->name, 0, NULL, 0) == 0;
    member_program(pid, path);
    slash = strrchr(path, '/');
    if (regexec(&l->only, slash ? slash + 1 : path, 0, NULL, 0) == 0)
        return 1;
    snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
    file = fopen(path, "re");
    found = file && fgets(comm, sizeof(comm), file) != NULL;
    if (file)
        fclose(file);
    if (!found)
        return 0;
    comm[strcspn(comm, "\n")] = '\0';
    return regexec(&l->only, comm, 0, NULL, 0) == 0;
}
