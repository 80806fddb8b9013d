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
#include "collector/preload/program.h"
#include "collector/preload/room.h"
#include "collector/preload/services.h"
#include "collector/preload/stack.h"
#include "collector/preload/report.h"
#include "collector/preload/thread.h"
#include "collector/preload/thread_key.h"
#include "collector/preload/trace_slow.h"
#include "collector/preload/vdso.h"
#include "collector/sig/chain.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/guess.h"
#include "collector/sig/hit.h"
#include "collector/sig/node.h"
#include "collector/sig/objtab.h"
#include "collector/source/source.h"
#include "share/params.h"

enum {
    DEFAULT_STACK = 8 << 20,
    HWCAP2_FSGSBASE = 2, /* from asm/hwcap2.h, which some systems lack */
};

static int signals_taken;
/* The target's actions for the signals of -l and -y; the kernel has our handler. */
static struct sigaction sample_before, pause_before;
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
 * Install our handler for a signal. restart: SA_RESTART or 0. *before: set to the
 * target's action, unless before is NULL. 0 or -errno.
 */
static int
install_handler(int signo, int restart, struct sigaction *before)
{
    struct sigaction ours;

    memset(&ours, 0, sizeof(ours));
    ours.sa_sigaction = sig_handler;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | restart;
    sigfillset(&ours.sa_mask);
    sigdelset(&ours.sa_mask, SIGBUS);
    return REAL(sigaction)(signo, &ours, before) < 0 ? -errno : 0;
}

int
recording_has_signals(void)
{
    return signals_taken;
}

struct sigaction *
recording_action_kept(int signo)
{
    if (signo && signo == (int)params.sample_signal)
        return &sample_before;
    return signo && signo == (int)params.pause_signal ? &pause_before : NULL;
}

/*
 * Choose our signal: not SIGURG for a Go program, whose runtime sends SIGURG to itself,
 * and would lose one that it sends while ours is pending.
 */
static void
choose_signal(enum program_kind program)
{
    if (program == PROGRAM_GO && params.sample_signal != SIGWINCH &&
        params.pause_signal != SIGWINCH)
        hit_signal = SIGWINCH;
    if (program == PROGRAM_GO)
        handler_share_stacks();
}

/* Remember the target's action for our signal: the kernel has our handler instead. */
static void
keep_action(const struct sigaction *before)
{
    struct action action = action_from_libc(before);

    chain_set(&action);
}

static int
install_handlers(void)
{
    struct sigaction before;
    int error;

    hit_reads_pointer = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE) != 0;
    hit_is_used = params.clock_ns || space_ctl->counters;
    error = hit_is_used ? install_handler(hit_signal, SA_RESTART, &before) : 0;
    if (error < 0)
        return error;
    if (hit_is_used)
        keep_action(&before);
    hit_settings.pid = expt_pid;
    hit_settings.sample_signal = (int)params.sample_signal;
    hit_settings.pause_signal = (int)params.pause_signal;
    if (params.sample_signal)
        error = install_handler((int)params.sample_signal, SA_RESTART, &sample_before);
    if (error == 0 && params.pause_signal)
        error = install_handler((int)params.pause_signal, SA_RESTART, &pause_before);
    signals_taken = 1;
    return error;
}

/*
 * Unblock our signal. 1 = it was blocked at the program's start, and must still be
 * blocked in the target's view.
 */
static u32
unblock_signal(void)
{
    u64 own = 1ull << (hit_signal - 1), before = 0;

    sys_call4(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)(uintptr_t)&own,
              (long)(uintptr_t)&before, GUARD_SIGSET_BYTES);
    return (before & own) != 0;
}

/*
 * Refresh the map. Read the kernel's mappings, too, if a stack has code that the loader
 * does not know.
 */
static void
refresh_map(void)
{
    int error = 0;

    if (node_written && objtab_saw_unknown())
        error = map_refresh(1);
    else
        map_refresh_if_changed();
    if (error < 0)
        expt_event(EVENT_map_failed, expt_error_name(-error), NULL, NULL, 0);
}

/* The part of the CPU time `now` that the process has used since its last exec. */
static struct cpu_times
since_exec(struct cpu_times now)
{
    u64 base = params.base_user + params.base_system;
    u64 total = now.user + now.system;

    total = total > base ? total - base : 0;
    now.system = now.system > params.base_system ? now.system - params.base_system : 0;
    if (now.system > total)
        now.system = total;
    now.user = total - now.system;
    return now;
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
    wall_start(params.wall != 0);
    error = install_handlers();
    return error < 0 ? error : gate_open(expt_pid);
}

static void
begin_recording(void)
{
    struct thread_birth birth = { 0 };

    room_start();
    mainstack_find(&birth.stack_lo, &birth.stack_hi);
    if (prepare_recording() < 0)
        return;
    birth.blocked = hit_is_used && unblock_signal();
    if (descend_became()) {
        birth.has_startup = 1;
        birth.startup = since_exec(account_process());
    }
    thread_begin(&birth);
    thread_key_set();
    report_sources();
    fork_start();
    __atomic_fetch_or(&space_ctl->flags, CTL_ATTACHED, __ATOMIC_ACQ_REL);
    services_started(&params);
}

int
recording_restart(enum er_how how, u64 *mask)
{
    const char *path;
    int error = descend_join_child(how, &path);

    if (error == 0) {
        thread_leave_all();
        error = expt_open_again(path);
    }
    if (error < 0)
        return error;
    clock_align(space_ctl->tick, space_ctl->mono);
    report_reset();
    params.base_user = params.base_system = 0;
    space_start_nodes();
    thread_start_rows();
    source_start(&params);
    gate_open(expt_pid);
    thread_begin_child(mask);
    thread_key_set();
    report_sources();
    __atomic_fetch_or(&space_ctl->flags, CTL_ATTACHED, __ATOMIC_ACQ_REL);
    return 0;
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

        choose_signal(program);
        handler_start();
        expt_few_files = !params.sample_signal && !params.pause_signal;
        if (program != PROGRAM_GO_BARE && descend_join(&path) == 0 &&
            expt_open(path) == 0) {
            clock_start(params.tsc, vdso_clock());
            clock_align(space_ctl->tick, space_ctl->mono);
            if (!space_ctl->pid || descend_is(space_ctl->pid))
                begin_recording();
        }
        if (!signals_taken)
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

int
recording_is_owner(void)
{
    return gate_state() > GATE_VFORK_CHILD;
}

int
recording_in_vfork_child(void)
{
    return gate_state() == GATE_VFORK_CHILD;
}

static void
log_exit(const char *how, const char *what)
{
    struct log_attr attrs[2] = { { "user", NULL, 0 }, { "system", NULL, 0 } };
    struct cpu_times now = account_process();

    descend_leave(now.user, now.system);
    now = since_exec(now);
    attrs[0].number = now.user;
    attrs[1].number = now.system;
    expt_event(EVENT_exit, how, what, attrs, 2);
}

static struct sigaction
action_of_target(void)
{
    struct sigaction action;

    memset(&action, 0, sizeof(action));
    action_into_libc(chain_action(), &action);
    return action;
}

void
recording_mirror_restart(void)
{
    struct sigaction action = action_of_target();
    int handled = action_is_function(chain_action()->handler);

    install_handler(hit_signal, handled ? action.sa_flags & SA_RESTART : SA_RESTART,
                    NULL);
}

int
recording_move_signal(const sigset_t *set)
{
    const int to = SIGWINCH;
    struct sigaction action = action_of_target(), before;
    u64 mask;

    if (hit_signal == to || gate_limited || sigismember(set, to) == 1 ||
        params.sample_signal == (u32)to || params.pause_signal == (u32)to ||
        !thread_is_alone())
        return -EBUSY;
    thread_suspend_signal(thread_self);
    mask = guard_enter();
    REAL(sigaction)(hit_signal, &action, NULL);
    handler_action(to, NULL, &before);
    if (install_handler(to, SA_RESTART, NULL) == 0) {
        hit_signal = to;
        handler_forget(to);
        keep_action(&before);
        handler_update();
        recording_mirror_restart();
        thread_resume_signal(thread_self, &mask);
    }
    guard_leave(mask);
    return 0;
}

/* Restore the target's actions for all signals that we use. */
static void
restore_signals(void)
{
    struct sigaction action = action_of_target();

    signals_taken = 0;
    handler_restore();
    if (hit_is_used)
        REAL(sigaction)(hit_signal, &action, NULL);
    if (params.sample_signal)
        REAL(sigaction)((int)params.sample_signal, &sample_before, NULL);
    if (params.pause_signal)
        REAL(sigaction)((int)params.pause_signal, &pause_before, NULL);
}

static void
leave_target(void)
{
    u64 mask = guard_enter();

    restore_signals();
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

    if (gate_is_open() || signals_taken)
        return -EBUSY;
    params = *asked;
    space_ctl = space_wake_page = NULL;
    choose_signal(program_kind());
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
    trace_forget_stray();
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

    if (!gate_is_open() || !signals_taken)
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

u64
recording_leave_child(u64 mask)
{
    struct thread *t = thread_self;

    if (!signals_taken)
        return mask;
    expt_release();
    space_part();
    restore_signals();
    if (!t)
        return mask;
    thread_self = NULL;
    return thread_leave_child(t) ? mask | 1ull << (hit_signal - 1) : mask;
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
    if (!recording_is_owner()) {
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
        recording_mirror_restart();
        unblock_signal();
    }
    errno = error;
}

void
recording_end(enum er_event event)
{
    int saved = errno;

    if (!recording_is_owner())
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
