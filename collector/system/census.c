/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/system/census.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collector/inspect/account.h"
#include "collector/outside/process.h"

enum {
    PF_KTHREAD = 0x200000, /* linux/sched.h */
    MAPS_MOST = 16384,     /* mappings that are kept of one process */
};

static struct census_process **
slot_of(struct census *c, u32 pid)
{
    struct census_process **link = &c->slot[pid % CENSUS_SLOTS];

    while (*link && (*link)->pid != pid)
        link = &(*link)->next;
    return link;
}

struct census_process *
census_find(const struct census *c, u32 pid)
{
    struct census_process *p = c->slot[pid % CENSUS_SLOTS];

    while (p && p->pid != pid)
        p = p->next;
    return p;
}

static struct census_process *
add(struct census *c, u32 pid)
{
    struct census_process **link = slot_of(c, pid), *p = calloc(1, sizeof(*p));

    if (!p)
        return NULL;
    p->pid = pid;
    *link = p;
    return p;
}

static void
drop_maps(struct census_process *p)
{
    for (u32 i = 0; i < p->maps; i++)
        free((void *)(uintptr_t)p->map[i].name);
    p->maps = 0;
}

void
census_name(struct census_process *p, const char *name)
{
    snprintf(p->name, sizeof(p->name), "%.*s", CENSUS_NAME - 1, name);
}

/*
 * Remove the mappings that a new one covers completely: the kernel's records do not
 * report munmap().
 */
static void
make_way(struct census_process *p, const struct mirror_mapping *new)
{
    u32 kept = 0;

    for (u32 i = 0; i < p->maps; i++) {
        if (p->map[i].lo >= new->lo && p->map[i].hi <= new->hi)
            free((void *)(uintptr_t)p->map[i].name);
        else
            p->map[kept++] = p->map[i];
    }
    p->maps = kept;
}

void
census_map(struct census_process *p, const struct mirror_mapping *mapping)
{
    char *name = strdup(mapping->name);

    make_way(p, mapping);
    if (p->maps == p->room && p->room < MAPS_MOST) {
        u32 room = p->room ? 2 * p->room : 16;
        struct mirror_mapping *grown = reallocarray(p->map, room, sizeof(*grown));

        if (grown) {
            p->map = grown;
            p->room = room;
        }
    }
    if (!name || p->maps == p->room) {
        free(name);
        return;
    }
    p->map[p->maps] = *mapping;
    p->map[p->maps++].name = name;
}

static void
add_mapping(void *process, const struct mirror_mapping *mapping)
{
    census_map(process, mapping);
}

/* Read the process's name, parent, kind and mappings from /proc, as they are now. */
static void
read_process(struct census *c, struct census_process *p, u64 mono)
{
    char name[CENSUS_NAME + 1];

    if (!p->pid) {
        p->kind = CENSUS_KERNEL;
        census_name(p, "swapper");
        return;
    }
    if (account_read_text((pid_t)p->pid, "comm", name, sizeof(name))) {
        name[strcspn(name, "\n")] = '\0';
        census_name(p, name);
    }
    p->parent = (u32)account_stat_field((pid_t)p->pid, STAT_PARENT);
    if (p->pid == (u32)c->own)
        p->kind = CENSUS_OWN;
    else if (account_stat_field((pid_t)p->pid, STAT_FLAGS) & PF_KTHREAD)
        p->kind = CENSUS_KERNEL;
    else
        process_each_mapping((pid_t)p->pid, mono, add_mapping, p);
}

struct census_process *
census_get(struct census *c, u32 pid, u64 mono)
{
    struct census_process *p = census_find(c, pid);

    if (p)
        return p;
    p = add(c, pid);
    if (p)
        read_process(c, p, mono);
    return p;
}

void
census_start(struct census *c, u64 mono)
{
    DIR *dir = opendir("/proc");
    struct dirent *entry;

    while (dir && (entry = readdir(dir))) {
        u32 pid = (u32)strtoul(entry->d_name, NULL, 10);

        if (pid)
            (void)census_get(c, pid, mono);
    }
    if (dir)
        closedir(dir);
}

void
census_fork(struct census *c, u32 pid, u32 parent, u64 mono)
{
    const struct census_process *from = census_find(c, parent);
    struct census_process *p = census_find(c, pid);

    if (p) {
        drop_maps(p);
        p->parts = 0;
    } else {
        p = add(c, pid);
    }
    if (!p)
        return;
    p->parent = parent;
    p->born = mono;
    p->gone = 0;
    p->part = NULL;
    p->kind = from ? from->kind : CENSUS_PROGRAM;
    census_name(p, from ? from->name : "");
    for (u32 i = 0; from && i < from->maps; i++)
        census_map(p, &from->map[i]);
}

void
census_exec(struct census_process *p, const char *name, u64 mono)
{
    drop_maps(p);
    census_name(p, name);
    p->parts = 0;
    p->kind = CENSUS_PROGRAM;
    p->born = mono;
    /* If another thread than the first calls exec, the first one ends. */
    p->gone = 0;
    p->part = NULL;
}

void
census_remove(struct census *c, struct census_process *p)
{
    *slot_of(c, p->pid) = p->next;
    drop_maps(p);
    free(p->map);
    free(p);
}
