/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collector/launch/page_copy.h"

static struct sigaction inherited[NSIG];
static char changed[NSIG];
static sigset_t inherited_mask;

/* Read by handlers. */
static volatile pid_t target;
static u32 *volatile wake_word;
static volatile sig_atomic_t stopped_target;

static void
wake(void)
{
    u32 *word = wake_word;

    if (word)
        __atomic_fetch_or(word, SIGNALS_WAKE, __ATOMIC_RELEASE);
}

/*
 * Is the signal to be passed on to the target? It is if another process than the target
 * sent it. The terminal sends signals to the whole group, and the target most likely to
 * its own group: then the target has the signal already. What another process sends to
 * the whole group cannot be told apart; the target gets it twice.
 */
static int
meant_for_target(const siginfo_t *info)
{
    return target > 0 && info->si_code <= 0 && info->si_pid != target;
}

/*
 * Does the terminal tell collect, as its session's leader, that it hangs up? It tells
 * only the leader, which the target would be if it had been started instead of collect.
 */
static int
is_hangup(int sig, const siginfo_t *info)
{
    return target > 0 && info->si_code > 0 && (sig == SIGHUP || sig == SIGCONT) &&
           getsid(0) == getpid();
}

static void
pass_on(int sig, siginfo_t *info, void *context)
{
    int error = errno;

    (void)context;
    if (meant_for_target(info) || is_hangup(sig, info)) {
        if (info->si_code == SI_QUEUE)
            (void)sigqueue(target, sig, info->si_value);
        else
            (void)kill(target, sig);
    }
    errno = error;
}

static void
child_changed(int sig)
{
    (void)sig;
    wake();
}

static void set(int sig, void (*handler)(int, siginfo_t *, void *), void (*simple)(int),
                int flags);

/*
 * Handler for SIGTSTP: stop collect, too. The target has got the signal itself if it is
 * from the terminal; else pass it on. Stop by the default action, since that does not
 * stop an orphaned process group.
 */
static void
stop(int sig, siginfo_t *info, void *context)
{
    int error = errno;
    sigset_t one;

    (void)context;
    if (meant_for_target(info)) {
        stopped_target = 1;
        (void)kill(target, sig);
    }
    set(sig, NULL, SIG_DFL, 0);
    (void)raise(sig);
    sigemptyset(&one);
    sigaddset(&one, sig);
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    set(sig, stop, NULL, SA_RESTART);
    errno = error;
}

static void
go_on(int sig, siginfo_t *info, void *context)
{
    int error = errno;

    (void)context;
    if ((stopped_target && meant_for_target(info)) || is_hangup(sig, info))
        (void)kill(target, sig);
    stopped_target = 0;
    wake();
    errno = error;
}

static void
set(int sig, void (*handler)(int, siginfo_t *, void *), void (*simple)(int), int flags)
{
    struct sigaction action = { .sa_flags = flags };

    if (handler) {
        action.sa_sigaction = handler;
        action.sa_flags |= SA_SIGINFO;
    } else {
        action.sa_handler = simple;
    }
    sigfillset(&action.sa_mask);
    if (sigaction(sig, &action, NULL) == 0)
        changed[sig] = 1;
}

/*
 * Is the signal passed on to the target by pass_on()? Not passed on are signals for
 * faults of our own, signals that cannot be caught, and those that have other handlers.
 */
static int
is_passed(int sig)
{
    static const int stays[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,
                                 SIGTRAP, SIGABRT, SIGSYS,  SIGTTIN, SIGTTOU, SIGCHLD,
                                 SIGTSTP, SIGCONT, SIGXFSZ, SIGPIPE };

    for (size_t i = 0; i < ER_COUNT(stays); i++)
        if (sig == stays[i])
            return 0;
    return sig <= 31 || (sig >= SIGRTMIN && sig <= SIGRTMAX);
}

void
signals_set_up(void)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &inherited_mask);
    for (int sig = 1; sig < NSIG; sig++) {
        if (sigaction(sig, NULL, &inherited[sig]) < 0)
            continue;
        /*
         * Pass on also signals that were ignored at the start: the target may have set
         * a handler.
         */
        if (is_passed(sig))
            set(sig, pass_on, NULL, SA_RESTART);
    }
    if (inherited[SIGTSTP].sa_handler != SIG_IGN)
        set(SIGTSTP, stop, NULL, SA_RESTART);
    set(SIGCONT, go_on, NULL, SA_RESTART);
    set(SIGCHLD, NULL, child_changed, 0);
    set(SIGBUS, page_copy_signal, NULL, 0);
    set(SIGXFSZ, NULL, SIG_IGN, 0);
    set(SIGPIPE, NULL, SIG_IGN, 0);
}

void
signals_restore(void)
{
    for (int sig = 1; sig < NSIG; sig++)
        if (changed[sig])
            (void)sigaction(sig, &inherited[sig], NULL);
    sigprocmask(SIG_SETMASK, &inherited_mask, NULL);
}

void
signals_serve(pid_t pid, u32 *want)
{
    sigset_t mask = inherited_mask;

    target = pid;
    wake_word = want;
    sigdelset(&mask, SIGCHLD);
    sigdelset(&mask, SIGBUS);
    sigprocmask(SIG_SETMASK, &mask, NULL);
}

static volatile sig_atomic_t leave;

static void
request_leave(int sig)
{
    (void)sig;
    leave = 1;
    wake();
}

void
signals_serve_attached(u32 *want)
{
    static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

    for (size_t i = 0; i < ER_COUNT(ends); i++)
        set(ends[i], NULL, request_leave, SA_RESTART);
    set(SIGIO, NULL, child_changed, SA_RESTART); /* a debugger's socket */
    signals_serve(0, want);
}

int
signals_leave(void)
{
    return leave;
}

void
signals_stop(void)
{
    target = 0;
    wake_word = NULL;
}

void
signals_die(int sig)
{
    struct sigaction action = { .sa_handler = SIG_DFL };
    struct rlimit none = { 0, 0 };
    sigset_t one;

    (void)setrlimit(RLIMIT_CORE, &none);
    (void)prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    (void)sigaction(sig, &action, NULL);
    sigemptyset(&one);
    sigaddset(&one, sig);
    (void)sigprocmask(SIG_UNBLOCK, &one, NULL);
    (void)raise(sig);
}
