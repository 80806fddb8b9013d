/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The library in a process that was running before it was loaded. The agent is a thread
 * of ours: it has loaded the library, and executes the launcher's commands. The
 * launcher stops the target's own threads one after the other, and makes them call
 * attach_begin_thread(). See share/attach.h.
 */
#include "share/attach.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>

#include "collector/got/got.h"
#include "collector/libc/real.h"
#include "collector/preload/callbacks.h"
#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/preload/map.h"
#include "collector/preload/recording.h"
#include "collector/preload/clients.h"
#include "collector/preload/thread.h"
#include "collector/preload/thread_key.h"
#include "collector/sig/action.h"
#include "collector/sig/gate.h"

static int is_late; /* 1 = this process ran before the library was loaded */

/*
 * Called by a stopped thread of the target, in which the launcher has blocked all
 * signals. Nothing here may allocate or lock.
 */
static u64
attach_begin_thread(u64 lo, u64 hi, u64 mask)
{
    struct thread_birth birth = {
        .stack_lo = lo, .stack_hi = hi, .has_startup = 1, .mask = &mask
    };
    int saved = errno;

    if (gate_is_open() && !thread_self && !thread_is_ours()) {
        thread_begin(&birth);
        thread_key_set_stopped();
    }
    errno = saved;
    return mask;
}

static u64
attach_end_thread(u64 lo, u64 hi, u64 mask, u64 keep)
{
    int saved = errno;

    (void)lo;
    (void)hi;
    mask = thread_detach(mask, (int)keep);
    errno = saved;
    return mask;
}

/*
 * The kernel's signal actions before the recording, to be restored exactly. Actions
 * that libc's sigaction() has set since differ from them in a flag, which does not
 * matter to the target.
 */
static struct kernel_action {
    u64 handler, flags, restorer, mask;
} before[65];

static int
get_action(int sig, struct kernel_action *action)
{
    return (int)sys_call4(SYS_rt_sigaction, sig, 0, (long)(uintptr_t)action,
                          GUARD_SIGSET_BYTES);
}

static void
read_actions(void)
{
    for (int sig = 1; sig <= 64; sig++)
        (void)get_action(sig, &before[sig]);
}

static void
restore_actions(void)
{
    const u64 libc = ACTION_RESTORER;

    for (int sig = 1; sig <= 64; sig++) {
        struct kernel_action now;

        if (get_action(sig, &now) == 0 && now.handler == before[sig].handler &&
            now.mask == before[sig].mask && now.flags != before[sig].flags &&
            (now.flags & ~libc) == (before[sig].flags & ~libc))
            sys_call4(SYS_rt_sigaction, sig, (long)(uintptr_t)&before[sig], 0,
                      GUARD_SIGSET_BYTES);
    }
}

static int
end(void)
{
    int error = recording_detach();

    if (error == 0)
        restore_actions();
    return error;
}

static void *loaded[ATTACH_LIBRARIES]; /* an address in each of our libraries */
static u32 loaded_count;

/*
 * Libraries that open_library() has opened, also in earlier recordings of the process,
 * whose files may no longer exist.
 */
static struct {
    char name[ATTACH_NAME_BYTES];
    void *handle;
} opened[16];

static void *
open_library(const char *path, const char *name)
{
    u32 i = 0;

    while (i < ER_COUNT(opened) && opened[i].handle && strcmp(opened[i].name, name))
        i++;
    if (i < ER_COUNT(opened) && opened[i].handle)
        return opened[i].handle;
    if (i == ER_COUNT(opened))
        return NULL;
    opened[i].handle = REAL(dlopen)(path, RTLD_NOW | RTLD_LOCAL);
    memcpy(opened[i].name, name, ATTACH_NAME_BYTES);
    return opened[i].handle;
}

/*
 * Load the families' libraries. Each of them looks for libcollector.so, which is loaded
 * already.
 */
static int
load_families(struct attach_page *page)
{
    loaded_count = 0;
    loaded[loaded_count++] = (void *)(uintptr_t)ertools_attach;
    for (int i = 1; i < ATTACH_LIBRARIES && page->library[i][0]; i++) {
        void *handle = open_library(page->library[i], page->name[i]);

        if (!handle)
            return -ELIBACC;
        /* In glibc, a handle from dlopen() is a pointer to struct link_map. */
        loaded[loaded_count++] = ((const struct link_map *)handle)->l_ld;
    }
    return 0;
}

/* The value of LD_PRELOAD for programs that the process executes. */
static const char *
libraries(const struct attach_page *page)
{
    static ER_LARGE char list[ATTACH_PATH_BYTES];
    struct fmt f = fmt_start(list, sizeof(list) - 1);

    for (int i = 0; i < ATTACH_LIBRARIES && page->library[i][0]; i++) {
        if (i)
            fmt_char(&f, ':');
        fmt_str(&f, page->library[i]);
    }
    *f.at = '\0';
    return f.cut ? "" : list;
}

/*
 * Receive a descriptor of the experiment's directory, which has no path in this
 * process's view. Returns the descriptor, or -errno.
 */
static int
receive_directory(int fd)
{
    char byte, control[CMSG_SPACE(sizeof(int))];
    struct iovec io = { &byte, 1 };
    struct msghdr m = { .msg_iov = &io, .msg_iovlen = 1, .msg_control = control,
                        .msg_controllen = sizeof(control) };
    const struct cmsghdr *head = (const void *)control;
    long n = sys_call4(SYS_recvmsg, fd, (long)(uintptr_t)&m,
                       MSG_CMSG_CLOEXEC | MSG_DONTWAIT, 0);

    if (n < 0)
        return (int)n;
    if (m.msg_controllen < CMSG_LEN(sizeof(int)) || head->cmsg_type != SCM_RIGHTS)
        return -EPROTO;
    memcpy(&fd, CMSG_DATA(head), sizeof(fd));
    return fd;
}

/*
 * If the launcher passes a descriptor of the experiment's directory, receive it, and
 * set page->experiment to a path by way of it. 0, or -errno. *fd: the descriptor, which
 * the caller closes; less than 0 = none.
 */
static int
find_directory(struct attach_page *page, int *fd)
{
    struct fmt f = fmt_start(page->experiment, sizeof(page->experiment) - 1);

    *fd = -1;
    if (page->socket < 0)
        return 0;
    *fd = receive_directory(page->socket);
    if (*fd < 0)
        return *fd;
    fmt_str(&f, "/proc/self/fd/");
    fmt_u64(&f, (u64)*fd);
    fmt_str(&f, "/.");
    *f.at = '\0';
    return 0;
}

static void
close_files(struct attach_page *page, int directory)
{
    for (u32 i = 0; i < page->fds && i < ATTACH_DESCRIPTORS; i++)
        sys_call4(SYS_close, page->fd[i], 0, 0, 0);
    if (directory >= 0)
        sys_call4(SYS_close, directory, 0, 0, 0);
    page->has_closed = 1;
}

static int
begin(struct attach_page *page)
{
    struct er_params params;
    struct cpu_times used;
    int error, directory = -1;

    if (page->version != ATTACH_VERSION || params_parse(page->params, &params) < 0)
        return -EPROTO;
    is_late = 1;
    real_start_late();
    read_actions();
    error = load_families(page);
    if (error == 0)
        error = find_directory(page, &directory);
    if (error == 0)
        error = recording_attach(&params, page->experiment,
                                 params.follow ? libraries(page) : "", &used);
    close_files(page, directory);
    if (error < 0)
        return error;
    /* The launcher's pages must not be inherited by a forked child. */
    sys_call4(SYS_madvise, (long)((uintptr_t)page - ATTACH_CODE_BYTES), ATTACH_BYTES,
              MADV_DONTFORK, 0);
    callbacks.attached();
    page->base_user = used.user;
    page->base_system = used.system;
    page->begin_thread = (u64)(uintptr_t)attach_begin_thread;
    page->end_thread = (u64)(uintptr_t)attach_end_thread;
    return 0;
}

/*
 * 1 if no process has the launcher's pid. If the launcher is in another PID namespace,
 * it has no pid here (0), and is assumed to be there.
 */
static int
launcher_has_gone(const struct attach_page *page)
{
    return page->launcher &&
           sys_call4(SYS_kill, (long)page->launcher, 0, 0, 0) == -ESRCH;
}

static u32
await(struct attach_page *page, u32 done)
{
    const struct timespec second = { 1, 0 };
    u32 beat = page->beat, idle = 0;

    for (;;) {
        u32 command = __atomic_load_n(&page->command, __ATOMIC_ACQUIRE);

        if (command != done)
            return command;
        sys_call4(SYS_futex, (long)(uintptr_t)&page->command, FUTEX_WAIT, (long)done,
                  (long)(uintptr_t)&second);
        map_refresh_if_changed();
        got_update();
        if (clients_calls.loaded)
            clients_calls.loaded();
        callbacks.look();
        idle = page->beat == beat ? idle + 1 : 0;
        beat = page->beat;
        if (idle >= ATTACH_BEAT_SECONDS && launcher_has_gone(page))
            return ATTACH_LEAVE;
    }
}

/*
 * Redirect calls to our hooks, and report how many slots were redirected and refused.
 * (Slots of a library that is unloaded need no care; new libraries are noticed by the
 * loader's counter.)
 */
static int
redirect(struct attach_page *page)
{
    char changed[24], refused[24];
    struct fmt f = fmt_start(changed, sizeof(changed) - 1);
    struct fmt g = fmt_start(refused, sizeof(refused) - 1);
    int error = got_start((const void *const *)loaded, loaded_count);

    if (clients_calls.redirect)
        clients_calls.redirect(1);
    callbacks.redirect(1);
    page->slots = got_changed();
    page->unseen = got_refused();
    fmt_u64(&f, page->slots);
    fmt_u64(&g, page->unseen);
    *f.at = *g.at = '\0';
    expt_event(EVENT_led, changed, refused, NULL, 0);
    return error;
}

/*
 * Restore all slots. The old values of slots that -T has redirected are the other
 * families' hooks, so these slots are restored first.
 */
static void
restore_slots(void)
{
    callbacks.redirect(0);
    if (clients_calls.redirect)
        clients_calls.redirect(0);
    got_end();
}

__attribute__((visibility("default"))) void *
ertools_find(const char *name, const char *version)
{
    void *ours = is_late ? got_find_in((const void *)ertools_attach, name) : NULL;

    return ours || !is_late ? ours : got_find(name, version);
}

static int
obey(struct attach_page *page, u32 command)
{
    switch (command & ATTACH_COMMAND) {
    case ATTACH_START:
        return begin(page);
    case ATTACH_REDIRECT:
        return redirect(page);
    case ATTACH_PART:
        restore_slots();
        return 0;
    case ATTACH_STOP:
        return end();
    default:
        return -EINVAL;
    }
}

/*
 * The agent's thread. All signals are blocked, as they were in the thread that made it.
 */
__attribute__((visibility("default"))) void
ertools_attach(struct attach_page *page)
{
    u32 command = ATTACH_START;
    u64 all = ~0ull;
    int started = 0;

    sys_call4(SYS_rt_sigprocmask, SIG_SETMASK, (long)(uintptr_t)&all, 0,
              GUARD_SIGSET_BYTES);
    page->agent = (u32)sys_call4(SYS_gettid, 0, 0, 0, 0);
    while ((command & ATTACH_COMMAND) != ATTACH_LEAVE) {
        page->error = obey(page, command);
        started |= command == ATTACH_START && page->error == 0;
        __atomic_store_n(&page->answered, command, __ATOMIC_RELEASE);
        sys_call4(SYS_futex, (long)(uintptr_t)&page->answered, FUTEX_WAKE, 1, 0);
        command = await(page, command);
    }
    /*
     * The launcher has gone, or wants the agent to leave: stop hits and records. The
     * libraries stay loaded, which does no harm.
     */
    restore_slots();
    if (started && gate_is_open())
        recording_end(EVENT_abandoned);
}
