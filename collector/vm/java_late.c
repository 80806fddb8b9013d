/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/vm/java_late.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#include "collector/libc/real.h"
#include "collector/preload/expt.h"
#include "collector/preload/thread.h"
#include "collector/sig/gate.h"
#include "collector/sig/guard.h"
#include "collector/sig/hotspot_method.h"
#include "collector/sig/hotspot_rule.h"
#include "collector/sig/objtab.h"
#include "collector/sig/space.h"
#include "collector/vm/hotspot_layout.h"
#include "collector/vm/java_agent.h"
#include "collector/vm/java_listen.h"
#include "collector/vm/java_thread.h"
#include "collector/vm/jvmti.h"

enum {
    JNI_VERSION = 0x00010002,
    STACK_BYTES = 1 << 20,
    /* Seconds that the agent waits for the VM: for the names, and to be left. */
    PATIENCE_NAMES = 4,
    PATIENCE = 5,
    TRIES = 3,        /* attempts, a second apart, at a VM that takes no thread */
    THREADS_LEAST = 4 /* a VM with so many threads can have another one */
};

#define THREAD_NAME "ertools"

/* What our thread does. */
enum state {
    IDLE, /* there is none */
    ASKED,
    DONE, /* it ends, and has to be joined */
};

typedef int get_machines(void **machines, int room, int *count);

static u32 state; /* enum state; a futex */
static int result;
static void *library; /* handle of libjvm.so while we record, or NULL */

/* What our thread is to do: to begin, or to end, then with java_agent_end(keep). */
static int ends, keep;

/* The agent's own. */
static pthread_t thread;
static int wanted;    /* 1 = the VM is still to be asked */
static int abandoned; /* 1 = our thread did not answer in time */
static int tries;

/* How a thread is attached (JavaVMAttachArgs). */
struct attach_args {
    int version;
    const char *name;
    void *group;
};

/* Copy the path of libjvm.so if this object is it. */
static int
note_library(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    char *name = arg;

    (void)size;
    if (!slash || strcmp(slash, "/libjvm.so") || strlen(info->dlpi_name) >= PATH_MAX)
        return 0;
    strcpy(name, info->dlpi_name);
    return 1;
}

/* A handle of libjvm.so, or NULL. A process without it sees no call of dlopen(). */
static void *
find_library(void)
{
    static ER_LARGE char name[PATH_MAX];

    if (!dl_iterate_phdr(note_library, name))
        return NULL;
    return REAL(dlopen)(name, RTLD_LAZY | RTLD_NOLOAD);
}

/* The VM of this process; NULL: there is none, or it has ended. */
static void *
find_machine(void)
{
    void *found = REAL(dlsym)(library, "JNI_GetCreatedJavaVMs"), *machine = NULL;
    get_machines *get;
    int count = 0;

    memcpy(&get, &found, sizeof(get));
    if (!get || get(&machine, 1, &count) || count < 1)
        return NULL;
    return machine;
}

static int
begin(void *machine, void *jni)
{
    int error;

    hotspot_layout_read_methods(library);
    error = java_agent_begin(machine, jni);
    /*
     * Walks may have met a method of the interpreter while our reports kept them from
     * recording it; such walks must not be reused.
     */
    __atomic_fetch_add(&objtab_generation, 1, __ATOMIC_SEQ_CST);
    /* If the agent has left meanwhile, it may wait no more for what is to be undone. */
    if (!error && !java_listen_is_on())
        java_agent_end(java_listen_stop() < 0);
    return error;
}

/*
 * Attach this thread as a daemon, for which the VM does not wait when it ends, and do
 * the work. 0 or -errno; -EAGAIN: the VM takes no thread, or has not begun.
 */
static int
work(void *machine)
{
    struct attach_args args = { JNI_VERSION, THREAD_NAME, NULL };
    int (*attach)(void *, void **, struct attach_args *);
    int (*detach)(void *);
    void *jni = NULL;
    int error = 0;

    *(void **)&attach = (*(jvmti_table *)machine)[JNI_ATTACH_AS_DAEMON];
    *(void **)&detach = (*(jvmti_table *)machine)[JNI_DETACH];
    if (attach(machine, &jni, &args) || !jni)
        return -EAGAIN;
    if (ends)
        java_agent_end(keep);
    else if (java_listen_is_on())
        error = begin(machine, jni);
    (void)detach(machine);
    return error;
}

/*
 * Our thread. It was made with all signals blocked; the VM needs those that the thread
 * causes itself.
 */
static void *
run(void *machine)
{
    const u64 own = 1ull << (SIGSEGV - 1) | 1ull << (SIGBUS - 1) |
                    1ull << (SIGFPE - 1) | 1ull << (SIGILL - 1) | 1ull << (SIGTRAP - 1);

    sys_call4(SYS_prctl, PR_SET_NAME, (long)(uintptr_t)THREAD_NAME, 0, 0);
    sys_call4(SYS_rt_sigprocmask, SIG_UNBLOCK, (long)(uintptr_t)&own, 0,
              GUARD_SIGSET_BYTES);
    result = work(machine);
    __atomic_store_n(&state, DONE, __ATOMIC_RELEASE);
    sys_call4(SYS_futex, (long)(uintptr_t)&state, FUTEX_WAKE, 1, 0);
    return NULL;
}

/* Start our thread. 0 or -errno. */
static int
start(void *machine, int to_end)
{
    pthread_attr_t attr;
    int error;

    ends = to_end;
    result = 0;
    if (pthread_attr_init(&attr))
        return -ENOMEM;
    if (!to_end)
        java_listen_start();
    __atomic_store_n(&state, ASKED, __ATOMIC_RELEASE);
    pthread_attr_setstacksize(&attr, STACK_BYTES);
    /* libc sets the variable before the thread runs. */
    error = REAL(pthread_create)((pthread_t *)&thread_ours, &attr, run, machine);
    pthread_attr_destroy(&attr);
    thread = thread_ours;
    if (error)
        __atomic_store_n(&state, IDLE, __ATOMIC_RELEASE);
    return -error;
}

/* Remove our thread if it ends. 1 = there is none now. */
static int
reap(void)
{
    if (__atomic_load_n(&state, __ATOMIC_ACQUIRE) == DONE) {
        pthread_join(thread, NULL);
        thread_ours = 0;
        __atomic_store_n(&state, IDLE, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&state, __ATOMIC_ACQUIRE) == IDLE;
}

/* Wait until our thread has ended. 0 or -ETIMEDOUT. */
static int
await(u32 seconds)
{
    struct timespec second = { 1, 0 };

    for (u32 i = 0; i < seconds && !reap(); i++)
        sys_call4(SYS_futex, (long)(uintptr_t)&state, FUTEX_WAIT, ASKED,
                  (long)(uintptr_t)&second);
    return reap() ? 0 : -ETIMEDOUT;
}

static void
tell(const char *why)
{
    wanted = 0;
    expt_event(EVENT_java_silent, why, NULL, NULL, 0);
}

void
java_late_start(void)
{
    hotspot_forget_methods();
    library = find_library();
    if (!library || hotspot_layout_read(library))
        return;
    /* If the file madecode is still to be created, leave this to our thread. */
    if (space_files[FILE_madecode].mapped && java_agent_is_wanted())
        hotspot_layout_read_methods(library);
}

/* Take note of what our thread has achieved. */
static void
conclude(void)
{
    if (result == -EPERM)
        tell("it refuses");
    else if (result == -EAGAIN && ++tries == TRIES)
        tell("it takes no thread, or has not begun");
    else if (result != -EAGAIN)
        wanted = 0;
}

/* Is our thread free to begin, and has it to? */
static int
is_free(void)
{
    int was_there = __atomic_load_n(&state, __ATOMIC_ACQUIRE) != IDLE;

    if (!reap()) {
        if (abandoned)
            tell("it has not answered since an earlier recording");
        return 0;
    }
    if (was_there && !abandoned)
        conclude();
    abandoned = 0;
    return wanted;
}

void
java_late_look(void)
{
    void *machine;

    if (!wanted || !is_free())
        return;
    if (!library)
        library = find_library();
    if (!library)
        return;
    if (hotspot_layout_read(library)) {
        tell("it is not a HotSpot machine that exports its structures");
        return;
    }
    /* JDK 17 and older ones tell of a VM before it can take another thread. */
    machine = find_machine();
    if (machine && java_thread_count() >= THREADS_LEAST && start(machine, 0))
        tell("no thread can be made");
}

/* Have our thread undo what it has done. 0 or -errno. */
static int
undo(void)
{
    void *machine;
    int error = await(PATIENCE);

    if (error || !java_agent_is_there())
        return error;
    if (!library)
        library = find_library();
    machine = library ? find_machine() : NULL;
    if (!machine) {
        java_agent_forget();
        return 0;
    }
    error = start(machine, 1);
    return error ? error : await(PATIENCE);
}

static void
stop(void)
{
    /* A thread that was abandoned undoes what it does when it can. */
    if (reap() ? !java_agent_is_there() : abandoned)
        return;
    (void)await(PATIENCE_NAMES);
    keep = java_listen_stop() < 0;
    hotspot_rule_end_all();
    abandoned = undo() != 0;
    if (abandoned || keep) {
        thread_kept = 1;
        expt_event(EVENT_java_kept, NULL, NULL, NULL, 0);
    }
}

void
java_late_ask(int on)
{
    if (on) {
        tries = 0;
        wanted = java_agent_is_wanted();
        java_late_look();
        return;
    }
    wanted = 0;
    stop();
    if (library)
        REAL(dlclose)(library);
    library = NULL;
}
