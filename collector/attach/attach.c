/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/attach.h"

#include <errno.h>
#include <linux/futex.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "collector/attach/apart.h"
#include "collector/attach/debugger.h"
#include "collector/attach/inject.h"
#include "collector/attach/proc.h"
#include "collector/attach/tracee.h"
#include "collector/attach/walk.h"

enum {
    ANSWER_MS = 20000,
    ROUNDS = 64,     /* looks for new threads in one call, at most */
    END_TRIES = 400, /* tries, 1 ms apart, to end a thread that is in our code */
};

static const struct timespec a_ms = { 0, 1000000 };

/*
 * Wait while the target runs. If a debugger holds it, the target's threads run only
 * during a call, so have one of them make a call that waits for that time.
 */
static void
let_run(struct attach *a, const struct timespec *time)
{
    struct attach_page *page = attach_page(a);
    u64 arg[6] = { 0, 0, a->base + ATTACH_CODE_BYTES +
                             offsetof(struct attach_page, call.r[1]), 0, 8 };
    u64 ignored;

    if (!debugger_answers() || !a->safe) {
        nanosleep(time, NULL);
        return;
    }
    page->call.r[1] = (u64)time->tv_sec;
    page->call.r[2] = (u64)time->tv_nsec;
    (void)debugger_syscall(a->safe, 0, SYS_ppoll, arg, &ignored);
}

int
attach_open(struct attach *a, pid_t pid)
{
    int ret = attach_watch(a, pid);

    if (ret < 0)
        return ret;
    debugger_set_target(a->pidfd);
    ret = images_read(&a->images, pid);
    return ret < 0 ? ret : inject_check(a);
}

void
attach_close(struct attach *a)
{
    images_free(&a->images);
    if (a->pages)
        munmap(a->pages, ATTACH_BYTES);
    if (a->pidfd >= 0)
        close(a->pidfd);
    free(a->seen);
    free(a->pauses);
    free(a->maps);
    a->pages = NULL;
    a->seen = NULL;
    a->pauses = NULL;
    a->maps = NULL;
    a->pidfd = -1;
}

/*
 * The agent has written its id in its own PID namespace to the page; find its id in
 * ours.
 */
pid_t
attach_agent(struct attach *a)
{
    pid_t inner = (pid_t)attach_page(a)->agent, *tids;
    int n;

    if (a->agent || !inner)
        return a->agent;
    if (proc_has_our_ids(a->pid))
        return a->agent = inner;
    n = proc_threads(a->pid, &tids);
    for (int i = 0; i < n && !a->agent; i++)
        if (proc_inner_id(a->pid, tids[i]) == inner)
            a->agent = tids[i];
    if (n > 0)
        free(tids);
    return a->agent;
}

/*
 * Has the agent ended without noting that on the page? Then the target has called exec,
 * which ends all threads.
 */
static int
has_vanished(struct attach *a)
{
    char name[64];

    snprintf(name, sizeof(name), "/proc/%d/task/%d", (int)a->pid,
             (int)attach_agent(a));
    a->gone |= attach_agent(a) && access(name, F_OK) < 0 &&
               !attach_page(a)->gone;
    return a->gone;
}

/*
 * Wait until the agent has executed the command, or has ended. 0, the agent's error,
 * -ESRCH or -ETIMEDOUT.
 */
static int
await_answer(struct attach *a, u32 command)
{
    const struct timespec slice = { 0, 20000000 };
    struct attach_page *page = attach_page(a);

    for (int i = 0; i < ANSWER_MS / 20; i++) {
        u32 answered = __atomic_load_n(&page->answered, __ATOMIC_ACQUIRE);

        if (answered == command)
            return page->error;
        if (__atomic_load_n(&page->gone, __ATOMIC_ACQUIRE))
            return page->error ? page->error : -ESRCH;
        if (attach_is_over(a) || has_vanished(a))
            return -ESRCH;
        tracee_tend();
        if (debugger_answers())
            let_run(a, &slice);
        else
            syscall(SYS_futex, &page->answered, FUTEX_WAIT, answered, &slice, NULL, 0);
        __atomic_fetch_add(&page->beat, 1, __ATOMIC_RELAXED);
    }
    return -ETIMEDOUT;
}

static int
order(struct attach *a, enum attach_command command)
{
    struct attach_page *page = attach_page(a);

    u32 next = (page->command & ~(u32)ATTACH_COMMAND) + ATTACH_NUMBER + (u32)command;

    page->error = 0;
    __atomic_store_n(&page->command, next, __ATOMIC_RELEASE);
    syscall(SYS_futex, &page->command, FUTEX_WAKE, 1, NULL, NULL, 0);
    return await_answer(a, next);
}

/* Have the agent end. Then nobody uses the pages, and they can be unmapped. */
static void
dismiss(struct attach *a)
{
    struct attach_page *page = attach_page(a);
    char name[64];

    __atomic_store_n(&page->command, ATTACH_LEAVE, __ATOMIC_RELEASE);
    syscall(SYS_futex, &page->command, FUTEX_WAKE, 1, NULL, NULL, 0);
    /* Wait until the agent has written its id to the page, and then has ended. */
    for (int i = 0; i < ANSWER_MS && a->created; i++) {
        pid_t agent = attach_agent(a);

        snprintf(name, sizeof(name), "/proc/%d/task/%d", (int)a->pid, (int)agent);
        tracee_tend();
        /*
         * If the page has the agent's id, but no thread has that id, the agent has
         * ended.
         */
        if (attach_is_over(a) || (page->agent && !agent) ||
            (agent && access(name, F_OK) < 0))
            a->created = 0;
        else
            let_run(a, &a_ms);
    }
    if (a->created)
        a->lost = 1;
    if (!a->lost && !attach_is_over(a))
        inject_remove(a);
}

int
attach_enter(struct attach *a, const struct attach_order *o)
{
    struct attach_page *page;
    int ret = inject_pages(a);

    if (ret < 0)
        return ret;
    page = attach_page(a);
    page->launcher = proc_has_our_ids(a->pid) ? (u32)getpid() : 0;
    page->socket = -1;
    snprintf(page->entry, sizeof(page->entry), "ertools_attach");
    snprintf(page->params, sizeof(page->params), "%s", o->params);
    snprintf(page->experiment, sizeof(page->experiment), "%s", o->experiment);
    ret = inject_files(a, o);
    page->command = ATTACH_START;
    if (ret == 0)
        ret = inject_agent(a);
    if (ret == 0)
        ret = await_answer(a, ATTACH_START);
    if (ret < 0 && page->words[0])
        snprintf(a->why, sizeof(a->why), "%.500s", page->words);
    if (ret < 0 && a->pages)
        dismiss(a);
    return ret;
}

static int
has_seen(const struct attach *a, pid_t tid)
{
    for (u32 i = 0; i < a->seen_count; i++)
        if (a->seen[i] == tid)
            return 1;
    return 0;
}

static int
add_map(const struct proc_map *map, void *arg)
{
    struct attach *a = arg;
    u32 room = a->map_room ? a->map_room * 2 : 256;
    struct attach_map *more = a->maps;

    if (!map->writable)
        return 0;
    if (a->map_count == a->map_room) {
        more = realloc(a->maps, room * sizeof(*more));
        if (!more)
            return -ENOMEM;
        a->maps = more;
        a->map_room = room;
    }
    more[a->map_count++] = (struct attach_map){ map->lo, map->hi };
    return 0;
}

/* Read the list of mappings. That takes long, so it is done while all threads run. */
static void
read_maps(struct attach *a)
{
    a->map_count = 0;
    (void)proc_maps(a->pid, add_map, a);
}

static struct attach_map
stack_of(const struct attach *a, u64 sp)
{
    struct proc_map map = { 0 };

    for (u32 i = 0; i < a->map_count; i++)
        if (sp >= a->maps[i].lo && sp < a->maps[i].hi)
            return a->maps[i];
    (void)proc_map_of(a->pid, sp, &map);
    return (struct attach_map){ map.lo, map.hi };
}

/*
 * Have a thread call a function of the library, with the bounds of the thread's stack
 * and its signal mask. If the thread runs code of the collector, and may_be_ours is 0,
 * do not call the function, but return -EAGAIN. A thread that waits there in a system
 * call makes the call all the same; arg[3] is then 1.
 */
static int
call_here(struct attach *a, pid_t tid, u64 function, int may_be_ours)
{
    struct attach_page *page = attach_page(a);
    struct attach_map stack = { 0, 0 };
    struct tracee t;
    int ret = tracee_stop(&t, a->pid, tid), ours;

    if (ret < 0)
        return ret;
    if (!attach_is_there(a)) {
        tracee_release(&t);
        return -ESRCH;
    }
    ours = !may_be_ours && walk_is_ours(&a->images, &t);
    if (ours && !t.waits) {
        attach_add_pause(a, tracee_release(&t));
        return -EAGAIN;
    }
    if (function == page->begin_thread)
        stack = stack_of(a, t.regs.rsp);
    page->call.function = function;
    page->call.arg[0] = stack.lo;
    page->call.arg[1] = stack.hi;
    page->call.arg[2] = t.mask;
    page->call.arg[3] = (u64)ours;
    ret = tracee_call(&t, page, a->base);
    if (ret == 0)
        t.mask = page->call.result;
    if (ret == -ETIMEDOUT)
        a->lost = 1;
    attach_add_pause(a, tracee_release(&t));
    return ret;
}

struct call {
    struct attach *a;
    pid_t tid;
    u64 function;
    int may_be_ours;
};

static int
call_apart(void *arg)
{
    const struct call *c = arg;

    return call_here(c->a, c->tid, c->function, c->may_be_ours);
}

static int
have_call(struct attach *a, pid_t tid, u64 function, int may_be_ours)
{
    struct call c = { a, tid, function, may_be_ours };

    return debugger_answers() ? call_apart(&c) : apart(call_apart, &c);
}

/*
 * Begin to record the threads of a list that are not recorded yet. Returns how many;
 * -errno only if there is no memory.
 */
static int
begin_new(struct attach *a, const pid_t *tids, int n,
          int (*known)(void *arg, pid_t tid), void *arg)
{
    pid_t *seen = malloc((size_t)n * sizeof(*seen));
    u32 count = 0;
    int begun = 0;

    if (!seen)
        return -ENOMEM;
    a->map_count = 0;
    for (int i = 0; i < n && !a->lost; i++) {
        int ret = 0;

        if (tids[i] == attach_agent(a))
            continue;
        if (!has_seen(a, tids[i]) && !known(arg, proc_inner_id(a->pid, tids[i]))) {
            if (!a->map_count)
                read_maps(a);
            ret = have_call(a, tids[i], attach_page(a)->begin_thread, 1);
            begun += ret == 0;
        }
        if (ret == 0)
            seen[count++] = tids[i];
    }
    free(a->seen);
    a->seen = seen;
    a->seen_count = count;
    return begun;
}

int
attach_threads(struct attach *a, int (*known)(void *arg, pid_t tid), void *arg)
{
    int all = 0, begun = 1;

    tracee_tend();
    for (int i = 0; i < ROUNDS && begun > 0 && !a->lost; i++) {
        pid_t *tids;
        int n = proc_threads(a->pid, &tids);

        if (n < 0)
            break;
        begun = begin_new(a, tids, n, known, arg);
        all += begun > 0 ? begun : 0;
        free(tids);
    }
    a->threads += (u32)all;
    __atomic_fetch_add(&attach_page(a)->beat, 1, __ATOMIC_RELAXED);
    return all;
}

int
attach_redirect(struct attach *a)
{
    return order(a, ATTACH_REDIRECT);
}

static int
end_one(struct attach *a, pid_t tid)
{
    int ret = -EAGAIN;

    for (int i = 0; i < END_TRIES && ret == -EAGAIN; i++) {
        ret = have_call(a, tid, attach_page(a)->end_thread, 0);
        if (ret == -EAGAIN)
            let_run(a, &a_ms);
    }
    return ret;
}

static void
end_threads(struct attach *a)
{
    pid_t *tids;
    int n = proc_threads(a->pid, &tids);

    for (int i = 0; i < n && !a->lost; i++)
        if (tids[i] != attach_agent(a))
            (void)end_one(a, tids[i]);
    if (n > 0)
        free(tids);
}

int
attach_leave(struct attach *a)
{
    int ret;

    if (attach_is_over(a))
        return -ESRCH;
    if (debugger_answers())
        a->safe = debugger_thread();
    /*
     * The process may have loaded other objects in the meantime, such as those that our
     * library needs.
     */
    images_free(&a->images);
    ret = images_read(&a->images, a->pid);
    if (ret == 0)
        ret = order(a, ATTACH_PART);
    if (ret == 0)
        ret = -EBUSY;
    for (int i = 0; i < ROUNDS && ret == -EBUSY && !a->lost; i++) {
        end_threads(a);
        ret = order(a, ATTACH_STOP);
    }
    if (attach_is_over(a))
        return -ESRCH;
    dismiss(a);
    return a->lost ? -ETIMEDOUT : ret;
}
