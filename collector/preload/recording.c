/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/recording.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>

#include "collector/action/handler.h"
#include "collector/libc/real.h"
#include "collector/preload/account.h"
#include "collector/preload/descend.h"
#include "collector/preload/environ.h"
#include "collector/preload/expt.h"
#include "collector/preload/fork.h"
#include "collector/sig/guard.h"
#include "collector/preload/hold.h"
#include "collector/preload/instance.h"
#include "collector/preload/inherit_signal.h"
#include "collector/preload/made.h"
#include "collector/preload/mainstack.h"
#include "collector/preload/map.h"
#include "collector/preload/own_signal.h"
#include "collector/preload/program.h"
#include "collector/preload/room.h"
#include "collector/preload/services.h"
#include "collector/preload/stack.h"
#include "collector/preload/stray.h"
#include "collector/preload/report.h"
#include "collector/preload/thread.h"
#include "collector/preload/thread_key.h"
#include "collector/preload/vdso.h"
#include "collector/sig/cache_use.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/guess.h"
#include "collector/sig/hit_settings.h"
#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/sig/wall.h"
#include "collector/source/source.h"
#include "share/params.h"

enum {
    DEFAULT_STACK = 8 << 20,
};

static struct er_params params;
static u64 thread_stack = DEFAULT_STACK;

u64
recording_thread_stack(void)
{
    return thread_stack;
}

static void
find_thread_stack(void)
{
    pthread_attr_t attr;
    size_t bytes;

    if (pthread_attr_init(&attr))
        return;
    if (!pthread_attr_getstacksize(&attr, &bytes) && bytes)
        thread_stack = bytes;
    pthread_attr_destroy(&attr);
}

/*
 * Refresh the map. Read the kernel's mappings, too, if a stack has code that the loader
 * does not know.
 */
static void
refresh_map(void)
{
    int error = 0;

    if (node_written && cache_use_saw_unknown())
        error = map_refresh(1);
    else
        map_refresh_if_changed();
    if (error < 0)
        expt_event(EVENT_map_failed, expt_error_name(-error), NULL, NULL, 0);
}

/* Start everything that is not specific to a thread. 0 or -errno. */
static int
prepare_recording(void)
{
    int error;

    space_start_nodes();
    thread_start_rows();
    refresh_map();
    guess_entry = mainstack_entry();
    find_thread_stack();
    thread_key_start();
    source_start(&params);
    account_set_base(params.base_user, params.base_system);
    wall_start(params.wall != 0);
    error = own_signal_start(&params);
    return error < 0 ? error : gate_open(space_pid);
}

static void
begin_recording(void)
{
    struct thread_birth birth = { 0 };

    room_start();
    mainstack_find(&birth.stack_lo, &birth.stack_hi);
    if (prepare_recording() < 0)
        return;
    birth.blocked = hit_is_used && own_signal_unblock();
    if (descend_became()) {
        birth.has_startup = 1;
        birth.startup = account_since_base(account_process());
    }
    thread_begin(&birth);
    thread_key_set();
    report_sources();
    fork_start();
    __atomic_fetch_or(&space_ctl->flags, CTL_ATTACHED, __ATOMIC_ACQ_REL);
    services_started(&params);
}

__attribute__((constructor)) static void
start(int argc, char **argv, char **envp)
{
    const char *path;
    int saved = errno;

    (void)argc;
    (void)argv;
    program_start_sanitizer();
    real_start();
    environ_start(envp);
    if (descend_start(envp, &params) == 0) {
        enum program_kind program = program_kind();

        own_signal_choose(&params);
        handler_start();
        expt_few_files = !params.sample_signal && !params.pause_signal;
        if (program != PROGRAM_GO_BARE && descend_join(&path) == 0 &&
            expt_open(path) == 0) {
            clock_start(params.tsc, vdso_clock());
            clock_align(space_ctl->tick, space_ctl->mono);
            if (!space_ctl->pid || descend_is(space_ctl->pid))
                begin_recording();
        }
        if (!own_signal_is_taken())
            handler_restore();
        environ_restore(envp);
        /*
         * libc's environ is another array than envp if an earlier constructor has added
         * a variable.
         */
        if (environ && environ != envp)
            environ_restore(environ);
    }
    errno = saved;
}

static void
log_exit(const char *how, const char *what)
{
    struct log_attr attrs[2] = { { "user", NULL, 0 }, { "system", NULL, 0 } };
    struct cpu_times now = account_process();

    descend_leave(now.user, now.system);
    now = account_since_base(now);
    attrs[0].number = now.user;
    attrs[1].number = now.system;
    expt_event(EVENT_exit, how, what, attrs, 2);
}

static void
leave_target(void)
{
    u64 mask = guard_enter();

    own_signal_restore();
    expt_release();
    guard_lock(&guard_map);
    objtab_set_code(NULL, 0);
    node_stop();
    instance_forget_all();
    guard_unlock(&guard_map);
    guard_leave(mask);
    space_drop(thread_kept);
}

int
recording_attach(const struct er_params *asked, const char *path, const char *preload,
                 struct cpu_times *before)
{
    int error;

    if (gate_is_open() || own_signal_is_taken())
        return -EBUSY;
    params = *asked;
    space_ctl = space_wake_page = NULL;
    own_signal_choose(&params);
    handler_start();
    expt_few_files = 0;
    error = descend_attach(path, &params, preload);
    if (error == 0)
        error = expt_open(path);
    if (error < 0) {
        handler_restore();
        return error;
    }
    report_reset();
    stray_forget();
    made_forget();
    clock_start(params.tsc, vdso_clock());
    clock_align(space_ctl->tick, space_ctl->mono);
    *before = account_process();
    params.base_user = before->user;
    params.base_system = before->system;
    room_start_attached();
    error = prepare_recording();
    if (error < 0) {
        leave_target();
        return error;
    }
    /* all objects: the loader's counters may be those of an earlier attach */
    map_refresh(1);
    fork_start();
    __atomic_fetch_or(&space_ctl->flags, CTL_ATTACHED, __ATOMIC_ACQ_REL);
    services_started(&params);
    return 0;
}

int
recording_detach(void)
{
    struct ctl *ctl = space_ctl;

    if (!gate_is_open() || !own_signal_is_taken())
        return 0;
    thread_reap();
    if (thread_count())
        return -EBUSY;
    gate_leave();
    descend_stop();
    map_refresh(1);
    report_refusals();
    report_losses();
    gate_shut();
    __atomic_fetch_or(&ctl->flags, CTL_DETACHED, __ATOMIC_ACQ_REL);
    leave_target();
    return 0;
}

/* A vfork child may call this, too: then the event is written to its parent's log. */
void
recording_report_lost(const char *program, const char *reason)
{
    const char *slash = strrchr(program, '/');

    if (gate_is_open() && !gate_is_leaving())
        expt_event(EVENT_descendant_lost, slash ? slash + 1 : program, reason, NULL, 0);
}

struct leaving {
    const char *how;
    const char *what;
};

static void
close_recording(void *arg)
{
    const struct leaving *leaving = arg;

    refresh_map();
    report_refusals();
    thread_close_accounts();
    report_losses();
    log_exit(leaving->how, leaving->what);
}

void
recording_close(const char *how, const char *what)
{
    struct leaving leaving = { how, what };
    int saved;

    if (!thread_has_words())
        return;
    saved = errno;
    if (!gate_is_owner()) {
        fork_log_unseen(how);
        inherit_signal_if_ignored();
        errno = saved;
        return;
    }
    if (gate_is_leaving())
        return;
    gate_leave();
    if (gate_limited) {
        __atomic_fetch_or(&space_ctl->flags, CTL_DETACHED, __ATOMIC_ACQ_REL);
        return;
    }
    if (params.heap_scan && strcmp(how, "exec"))
        hold_for_scan(!strcmp(how, "exit"));
    stack_run(close_recording, &leaving);
    __atomic_fetch_or(&space_ctl->flags, CTL_DETACHED, __ATOMIC_ACQ_REL);
    if (!strcmp(how, "exec"))
        inherit_signal();
    errno = saved;
}

void
recording_resume(void)
{
    int error;

    if (!thread_has_words() || gate_state() != GATE_LEAVING)
        return;
    error = errno;
    gate_stay();
    __atomic_fetch_and(&space_ctl->flags, ~(u32)CTL_DETACHED, __ATOMIC_ACQ_REL);
    if (gate_limited)
        return;
    expt_event(EVENT_exec_failed, expt_error_name(error), NULL, NULL, 0);
    if (hit_is_used) {
        own_signal_mirror_restart();
        own_signal_unblock();
    }
    errno = error;
}

void
recording_end(enum er_event event)
{
    int saved = errno;

    if (!gate_is_owner())
        return;
    if (event == EVENT_seccomp)
        descend_stop();
    map_refresh(1);
    thread_close_accounts();
    report_losses();
    expt_event(event, NULL, NULL, NULL, 0);
    gate_shut();
    thread_silence();
    __atomic_fetch_or(&space_ctl->flags, CTL_DETACHED, __ATOMIC_ACQ_REL);
    errno = saved;
}

__attribute__((destructor)) static void
leave(void)
{
    recording_close("exit", NULL);
}
