/* SPDX-License-Identifier: Apache-2.0 */
/* Reports what threads waited for, and who held it. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "print/model/findings/lockwhile.h"
#include "print/model/findings/phrase.h"
#include "print/model/findings/sections.h"
#include "print/model/io/io.h"
#include "print/model/sync/lockname.h"
#include "print/model/sync/locks.h"
#include "share/iocall.h"
#include "share/record.h"

enum {
    FIGHT_LEAST = 1,   /* percent of the waiting: less gets no second finding */
    WHILE_LEAST = 30,  /* percent of the waits: less I/O of the holder is not named */
    ALWAYS = 98,       /* percent: a holder with more gets no percentage */
};

/*
 * Does a wait for the lock end when the holder releases it? (Not when a signal comes.)
 */
static bool
is_held(const struct lock *lock)
{
    switch (lock->kind) {
    case SYNC_MUTEX:
    case SYNC_WRITE:
    case SYNC_SPIN:
    case SYNC_FILE:
    case SYNC_MONITOR:
        return true;
    default:
        return false;
    }
}

/*
 * Report the holder with most of the waits. Holders at places with the same text count
 * as one.
 */
static void
append_holder(struct session *session, struct findings *f, const struct locks *locks,
              const struct lock *lock)
{
    const struct lock_conflict *conflict = &locks->conflict[lock->conflict];
    const struct lock_conflict *top = NULL;
    const char *place;
    u64 time = 0;

    for (u32 i = 0; i < lock->conflicts && !top; i++)
        if (conflict[i].holder)
            top = &conflict[i];
    if (!top)
        return;
    place = phrase_place(f, session, top->holder);
    for (u32 i = 0; i < lock->conflicts; i++)
        if (conflict[i].holder &&
            !strcmp(phrase_place(f, session, conflict[i].holder), place))
            time += conflict[i].time;
    phrase_add(f, ", held by ");
    phrase_add_name(f, FIND_BY, place);
    if (time * 100 < lock->wait * ALWAYS) {
        phrase_add(f, " for ");
        phrase_add_share(f, (double)time, (double)lock->wait);
        phrase_add(f, " of that");
    }
}

/* "writes to" etc., to be followed by a file's name; fsync() counts as writing, too. */
static const char *
doing(const struct lockwhile *what)
{
    const char *call = iocall_name(what->call);

    if (what->kind == IO_READ)
        return "reads from";
    if (what->kind == IO_WRITE || strstr(call, "sync"))
        return "writes to";
    return what->kind == IO_WAIT ? "waits for" : NULL;
}

static void
append_doing(struct findings *f, const struct lockwhile *what,
             const struct io_open *open)
{
    char *name = NULL;

    if (!open || asprintf(&name, "%.*s", (int)open->name.len, open->name.s) < 0)
        return;
    if (doing(what))
        phrase_add(f, " while it %s ", doing(what));
    else
        phrase_add(f, " while it calls %s for ", iocall_name(what->call));
    phrase_add_name(f, FIND_TEXT, phrase_base(name));
    free(name);
}

/* Add what the holder did in that time: "while it writes to x.txt". 0 or -errno. */
static int
append_while(struct session *session, struct findings *f, const struct lock *lock)
{
    struct lockwhile found;
    struct io io;
    int ret;

    if (!sections_has(session->experiment[lock->experiment], FILE_iotrace))
        return 0;
    ret = lockwhile_get(session, lock, &found);
    if (ret == -ENOENT || (ret == 0 && found.time * 100 < lock->wait * WHILE_LEAST))
        return 0;
    if (ret == 0)
        ret = io_get(session, IO_FILES, &io);
    if (ret < 0)
        return ret;
    append_doing(f, &found, io_find(&io, lock->experiment, found.file));
    io_free(&io);
    return 0;
}

static int
add_lock(struct session *session, struct findings *f, const struct locks *locks,
         const struct lock *lock, u64 total, bool any_held)
{
    char *name = lockname_get(session, lock->experiment, lock->kind, lock->addr);
    int ret = name ? 0 : -ENOMEM;

    if (ret < 0)
        return ret;
    phrase_begin(f, FINDING_LOCK, "locks");
    phrase_add_share(f, (double)lock->wait, (double)total);
    phrase_add(f, " of the waiting, ");
    phrase_add_time(f, lock->wait);
    phrase_add(f, " in ");
    phrase_add_count(f, lock->waits, "wait", "waits");
    if (lock_thread(session, lock->experiment, lock->kind, lock->addr))
        phrase_add(f, ", is for the end of ");
    else
        phrase_add(f, ", is for the %s ", lock_kind_name(lock->kind));
    phrase_add_name(f, FIND_NAME, name);
    free(name);
    if (is_held(lock)) {
        append_holder(session, f, locks, lock);
        ret = append_while(session, f, lock);
    } else if (lock->conflicts && locks->conflict[lock->conflict].node) {
        phrase_add(f, " at ");
        phrase_add_name(f, FIND_PLACE,
                        phrase_place(f, session, locks->conflict[lock->conflict].node));
        if (lock->kind == SYNC_CONDITION || lock->kind == SYNC_SEMAPHORE)
            phrase_add(f, ", where threads wait to be woken%s",
                       any_held ? "" : "; no lock was waited for");
    }
    phrase_add(f, ".");
    return ret;
}

int
sections_locks(struct session *session, struct findings *f)
{
    const struct lock *top, *held = NULL;
    struct locks locks;
    u64 total = 0;
    int ret = locks_get(session, &locks);

    if (ret < 0)
        return ret;
    for (u32 i = 0; i < locks.count; i++) {
        total += locks.lock[i].wait;
        if (!held && is_held(&locks.lock[i]) && locks.lock[i].wait)
            held = &locks.lock[i];
    }
    top = locks.count && locks.lock[0].wait ? &locks.lock[0] : NULL;
    if (top && top != held)
        ret = add_lock(session, f, &locks, top, total, held);
    if (ret == 0 && held && (held == top || held->wait * 100 >= total * FIGHT_LEAST))
        ret = add_lock(session, f, &locks, held, total, true);
    if (locks.recorded && !top) {
        phrase_begin(f, FINDING_LOCK, "statistics");
        phrase_add(f, "No thread had to wait for another.");
    }
    locks_free(&locks);
    return ret;
}
