/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/descend.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "collector/preload/requester.h"
#include "collector/preload/environ.h"
#include "collector/preload/expt.h"
#include "collector/preload/instance.h"
#include "collector/preload/mpirank.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/mem.h"
#include "collector/sig/space.h"
#include "collector/sig/sys.h"
#include "share/image.h"

enum {
    PATH_BYTES = 4096,
    PARAMS_BYTES = 1024,
    VALUE_BYTES = 131072, /* exec fails with longer strings (MAX_ARG_STRLEN) */
    OURS = 7,           /* most variables that we add to an environment */
    NOTHING = 1,        /* instead of a size: the environment stays as it is */
    WAIT_NS = 50000000, /* between checks whether the launcher still runs */
    WAITS = 200,        /* of WAIT_NS each, until the request is given up */
    FREED_NS = 10000000, /* between tries to get a free request, if none is freed */
    CLAIMS = 1000, /* tries without a change of any request, until claim() fails */
};

static struct er_params params;
/* All strings, without gaps, since each page that is used costs a page fault. */
static ER_LARGE char strings[4 * PATH_BYTES + 16];
static char *library = strings; /* for LD_PRELOAD; "" = do not record descendants */
char *descend_founder = strings; /* path of the founder's experiment */
static char *page = strings;    /* path of the founder's control page */
/* Our experiment's path; until request_own(), our creator's. Last, as it may grow. */
static char *own = strings;
static u32 became;    /* 1 = our creator is this process, before its exec */
static u32 descended; /* 1 = this process is not the founder's */
static u32 joined;    /* 1 = this process has an experiment */
static u32 requester; /* this process's number for requests (requester.h) */
static u32 rank; /* rank in MPI + 1; 0 = it is not an MPI process */

/* Copy value to *at, set *to to it, move *at past it. 0, -EINVAL: NULL or too long. */
static int
copy_string(char **to, char **at, const char *value)
{
    if (!value || strlen(value) >= PATH_BYTES)
        return -EINVAL;
    *to = *at;
    *at = stpcpy(*at, value) + 1;
    return 0;
}

int
descend_start(char **envp, struct er_params *out)
{
    const char *asked = environ_get(envp, ER_ENV_PARAMS);
    const char *first = environ_get(envp, ER_ENV_FOUNDER);
    const char *ours = environ_get(envp, ER_ENV_EXPNAME);
    char *at = strings + 1;

    if (!asked || params_parse(asked, &params) < 0)
        return -EINVAL;
    rank = mpirank_of(envp);
    if (params.follow)
        (void)copy_string(&library, &at, environ_get(envp, ER_ENV_PRELOAD));
    descended = first != NULL;
    if (copy_string(&descend_founder, &at, first ? first : ours) < 0)
        return -EINVAL;
    page = at;
    at = stpcpy(stpcpy(at, descend_founder), "/.control") + 1;
    if (copy_string(&own, &at, ours) < 0)
        return -EINVAL;
    became = descended && params.creator == (u64)getpid();
    if (!became)
        params.base_user = params.base_system = 0;
    *out = params;
    return 0;
}

int
descend_attach(const char *path, const struct er_params *asked, const char *preload)
{
    char *at = strings + 1;

    params = *asked;
    library = strings;
    rank = became = descended = 0;
    if (*preload)
        (void)copy_string(&library, &at, preload);
    if (copy_string(&descend_founder, &at, path) < 0)
        return -EINVAL;
    page = at;
    at = stpcpy(stpcpy(at, descend_founder), "/.control") + 1;
    joined = 1;
    return copy_string(&own, &at, path);
}

/* The pid of the launcher: collect, or the keeper that collect left when it ended. */
static u32
launcher(void)
{
    u32 now = __atomic_load_n(&space_wake_page->launcher, __ATOMIC_ACQUIRE);

    return now ? now : (u32)params.launcher;
}

/* Map the founder's control page; see if the launcher is in our PID namespace. */
static int
map_founder_page(void)
{
    int fd = open(page, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    u32 seen = fd < 0 ? 0 : requester_seen_launcher(fd);
    int error = expt_map_page(fd < 0 ? -errno : fd, &space_wake_page);

    if (error == 0)
        requester_choose(seen, launcher());
    return error;
}

static u32
state_of(u32 who, enum er_request state)
{
    return who << REQUEST_BITS | (u32)state;
}

int
descend_launcher_is_there(void)
{
    return __atomic_load_n(&space_wake_page->waiting, __ATOMIC_ACQUIRE) &&
           requester_sees_launcher(page, launcher());
}

/* Claim a free request. NULL: none is free; *states = a hash of all their states. */
static struct ctl_request *
claim_free(u32 who, u64 *states)
{
    *states = 0;
    for (int r = 0; r < ER_REQUESTS; r++) {
        struct ctl_request *request = &space_wake_page->request[r];
        u32 now = REQUEST_FREE;

        if (__atomic_compare_exchange_n(&request->state, &now,
                                        state_of(who, REQUEST_CLAIMED), 0,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
            return request;
        *states = *states * 31 + now;
    }
    return NULL;
}

/*
 * Claim a request. While none is free, as when many processes start at once, sleep; if
 * no request changes, have the launcher free those of dead processes. NULL: none came.
 */
static struct ctl_request *
claim(u32 who)
{
    struct timespec wait = { 0, FREED_NS };
    u64 states, before = 0;

    for (int i = 0; i < CLAIMS && descend_launcher_is_there(); i++) {
        u32 freed = __atomic_load_n(&space_wake_page->freed, __ATOMIC_ACQUIRE);
        struct ctl_request *request = claim_free(who, &states);

        if (request)
            return request;
        if (states != before)
            i = 0;
        else
            space_ring(WANT_FAMILY);
        before = states;
        sys_call4(SYS_futex, (long)(uintptr_t)&space_wake_page->freed, FUTEX_WAIT,
                  (long)freed, (long)(uintptr_t)&wait);
    }
    return NULL;
}

static void
free_request(struct ctl_request *request)
{
    u32 *freed = &space_wake_page->freed;

    __atomic_store_n(&request->state, REQUEST_FREE, __ATOMIC_RELEASE);
    __atomic_fetch_add(freed, 1, __ATOMIC_ACQ_REL);
    sys_call4(SYS_futex, (long)(uintptr_t)freed, FUTEX_WAKE, 1, 0);
}

/* Wait for the answer, for WAITS * WAIT_NS at most. 0 = granted; or -errno. */
static int
await(struct ctl_request *request, u32 who)
{
    u32 asked = state_of(who, REQUEST_ASKED);
    struct timespec wait = { 0, WAIT_NS };

    for (int i = 0; i < WAITS; i++) {
        u32 state = __atomic_load_n(&request->state, __ATOMIC_ACQUIRE);

        if (state == state_of(who, REQUEST_GRANTED))
            return 0;
        /* Refused: a launcher that ends refuses all requests. */
        if (state != asked)
            return descend_launcher_is_there() ? -EPERM : -ESRCH;
        if (!descend_launcher_is_there())
            return -ESRCH;
        sys_call4(SYS_futex, (long)(uintptr_t)&request->state, FUTEX_WAIT, (long)asked,
                  (long)(uintptr_t)&wait);
    }
    return -ETIMEDOUT;
}

/* The name of the creator's experiment in the founder's directory; "" = the founder. */
static const char *
creator_name(void)
{
    return strcmp(own, descend_founder) ? strrchr(own, '/') + 1 : "";
}

static void
set_own(const struct ctl_request *request)
{
    size_t len = strlen(descend_founder);

    if (len + 2 + ER_NAME_BYTES >= PATH_BYTES)
        return;
    memcpy(own, descend_founder, len);
    own[len] = '/';
    memcpy(own + len + 1, request->name, ER_NAME_BYTES);
    own[len + 1 + ER_NAME_BYTES] = '\0';
}

static void
fill(struct ctl_request *request, enum er_how how)
{
    request->how = (u32)how & 0xf;
    request->beyond = OUTSIDE_NOT;
    request->rank = rank & 0xfffffff;
    request->image = 0;
    request->ppid = 0;
    request->objects = instance_total & 0xffffff;
    request->base_user = params.base_user;
    request->base_system = params.base_system;
    strncpy(request->creator, creator_name(), ER_NAME_BYTES - 1);
}

static void
post(struct ctl_request *request, u32 who)
{
    __atomic_store_n(&request->state, state_of(who, REQUEST_ASKED), __ATOMIC_RELEASE);
    space_ring(WANT_FAMILY);
}

/* Make a request numbered `requester`; await its answer. 0: `own` is set; -errno. */
static int
request_as(enum er_how how)
{
    struct ctl_request *request = claim(requester);
    int error;

    if (!request)
        return -EAGAIN;
    fill(request, how);
    /* The parent's pid means nothing to a launcher in another PID namespace. */
    if (requester == (u32)sys_call4(SYS_getpid, 0, 0, 0, 0))
        request->ppid = (u32)sys_call4(SYS_getppid, 0, 0, 0, 0);
    post(request, requester);
    error = await(request, requester);
    if (error == 0)
        set_own(request);
    free_request(request);
    return error;
}

/* Ask for an experiment; its path becomes `own`. 0 or -errno. */
static int
request_own(enum er_how how)
{
    int error;

    requester = requester_begin(page);
    error = requester ? request_as(how) : -ENXIO;
    requester_end();
    return error;
}

int
descend_request_outside(const struct descend_outside *b)
{
    u32 who = requester_number();
    struct ctl_request *request = NULL;
    int error;

    if (who && space_wake_page && descend_launcher_is_there())
        request = claim(who);
    if (!request)
        return -EAGAIN;
    fill(request, b->how);
    request->beyond = (u32)b->beyond & 0xf;
    request->image = b->image & 0xf;
    request->ppid = b->child;
    strncpy(request->name, b->program, ER_NAME_BYTES - 1);
    request->name[ER_NAME_BYTES - 1] = '\0';
    post(request, who);
    /* The launcher frees this request: nobody here waits for its answer. */
    if (b->beyond == OUTSIDE_SPAWNED)
        return 0;
    error = await(request, who);
    free_request(request);
    return error;
}

/* May a program after exec access the path? 1 also if the kernel cannot tell. */
static int
reaches(const char *path, int mode)
{
    long error = sys_call4(SYS_faccessat2, AT_FDCWD, (long)(uintptr_t)path, mode,
                           AT_EACCESS);

    return error != -EACCES && error != -ENOENT && error != -ENOTDIR &&
           error != -EROFS;
}

/* Can path be read? Landlock may forbid it; then the loader would print an error. */
static int
opens(const char *path)
{
    long fd = sys_call4(SYS_openat, AT_FDCWD, (long)(uintptr_t)path,
                        O_RDONLY | O_CLOEXEC, 0);

    if (fd >= 0)
        sys_call4(SYS_close, fd, 0, 0, 0);
    return fd >= 0 || fd == -EMFILE || fd == -ENFILE;
}

static int
is_unanswered(int error)
{
    return error == -EAGAIN || error == -ESRCH || error == -ETIMEDOUT ||
           error == -ENXIO;
}

static const char *
why_unanswered(int error)
{
    return error == -ENXIO
               ? image_no_reach
               : "collect does not answer: it has ended, or is outside of the PID "
                 "namespace";
}

/* Log in our creator's log that we are not recorded, if its control page exists. */
static void
log_for_creator(int why)
{
    char name[PATH_BYTES + 16], program[PATH_BYTES / 4];
    long len = sys_call4(SYS_readlinkat, AT_FDCWD, (long)(uintptr_t) "/proc/self/exe",
                         (long)(uintptr_t)program, sizeof(program) - 1);
    const char *slash;
    int fd;

    program[len > 0 ? len : 0] = '\0';
    slash = strrchr(program, '/');
    strcpy(stpcpy(name, own), "/.control");
    if (!reaches(name, F_OK))
        return;
    strcpy(name + strlen(own), "/log.xml");
    fd = open(name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return;
    log_event(fd, EVENT_descendant_lost, clock_mono(), slash ? slash + 1 : program,
              why_unanswered(why), NULL, 0);
    close(fd);
}

int
descend_join(const char **path)
{
    int error = descended ? map_founder_page() : 0;

    if (descended && error == 0)
        error = request_own(became ? HOW_EXEC : HOW_SPAWN);
    if (is_unanswered(error))
        log_for_creator(error);
    if (error < 0)
        return error;
    joined = 1;
    *path = own;
    return 0;
}

int
descend_join_child(enum er_how how, const char **path)
{
    int error;

    if (!*library)
        return -EPERM;
    params.base_user = params.base_system = 0;
    became = 0;
    if (!rank && mpirank_is_starter(params.ranks))
        return -EPERM;
    descended = 1;
    requester_check_parent();
    error = request_own(how);
    if (is_unanswered(error))
        expt_event(EVENT_descendant_lost, program_invocation_short_name,
                   why_unanswered(error), NULL, 0);
    if (error < 0)
        return error;
    *path = own;
    return 0;
}

int
descend_is(u32 pid)
{
    if (descended)
        return pid == requester || (requester & ER_REQUESTER_BY_LOCK) != 0;
    return pid == (u32)sys_call4(SYS_getpid, 0, 0, 0, 0);
}

int
descend_became(void)
{
    return (int)became;
}

void
descend_leave(u64 user, u64 system)
{
    params.base_user = user;
    params.base_system = system;
}

/* Not if gate_limited: for descendants we need calls that a filter may forbid. */
int
descend_is_wanted(void)
{
    return *library != 0 && !gate_limited;
}

void
descend_stop(void)
{
    *library = 0;
}

int
descend_reaches(void)
{
    char path[PATH_BYTES / 4];
    const char *list = library;

    while (*list) {
        size_t len = strcspn(list, ":");

        if (len < sizeof(path)) {
            memcpy(path, list, len);
            path[len] = '\0';
            if (!opens(path))
                return 0;
        }
        list += len + (list[len] == ':');
    }
    return reaches(descend_founder, W_OK | X_OK);
}

/* Are envp and its strings readable? If not, the kernel refuses the exec anyway. */
static int
can_read(char *const envp[])
{
    u64 array = ~0ull, text = ~0ull;

    for (; envp; envp++) {
        if (!mem_byte_readable((u64)(uintptr_t)envp, &array))
            return 0;
        if (!*envp)
            break;
        if (!mem_string_readable(*envp, VALUE_BYTES, &text))
            return 0;
    }
    return 1;
}

/* 0 also if envp is not readable, or another collector records the program. */
int
descend_hands_down(char *const envp[])
{
    return *library && !gate_limited && can_read(envp) &&
           !environ_get(envp, ER_ENV_EXPNAME);
}

static size_t
count_of(char *const envp[])
{
    size_t count = 0;

    while (envp && envp[count])
        count++;
    return count;
}

size_t
descend_bytes(char *const envp[])
{
    const char *preload, *asan;

    if (!descend_hands_down(envp))
        return NOTHING;
    preload = environ_get(envp, "LD_PRELOAD");
    asan = environ_get(envp, ER_ENV_ASAN);
    return (count_of(envp) + OURS + 1) * sizeof(*envp) + 2 * strlen(library) +
           (preload ? strlen(preload) : 0) + (asan ? strlen(asan) : 0) +
           strlen(descend_founder) + strlen(own) + PARAMS_BYTES + 256;
}

/* Append `name=value`, `:more` unless that is empty, and a zero. Returns the start. */
static char *
put(struct fmt *f, const char *name, const char *value, const char *more)
{
    char *at = f->at;

    fmt_str(f, name);
    fmt_char(f, '=');
    fmt_str(f, value);
    if (more && *more) {
        fmt_char(f, ':');
        fmt_str(f, more);
    }
    fmt_char(f, '\0');
    return at;
}

static char *
put_params(struct fmt *f)
{
    struct er_params handed = params;
    char *at = f->at;

    if (joined)
        handed.creator = space_pid;
    fmt_str(f, ER_ENV_PARAMS "=");
    params_format(f, &handed);
    fmt_char(f, '\0');
    return at;
}

/* The environment's string with this value from environ_get(); NULL for NULL. */
static const char *
entry_of(const char *value, const char *name)
{
    return value ? value - strlen(name) - 1 : NULL;
}

char *const *
descend_environ(void *room, size_t bytes, char *const envp[])
{
    const char *preload, *asan, *old_preload, *old_asan;
    size_t count, array;
    char **to = room;
    struct fmt f;

    if (bytes <= NOTHING)
        return envp;
    preload = environ_get(envp, "LD_PRELOAD");
    old_preload = entry_of(preload, "LD_PRELOAD");
    asan = environ_get(envp, ER_ENV_ASAN);
    old_asan = entry_of(asan, ER_ENV_ASAN);
    count = count_of(envp);
    array = (count + OURS + 1) * sizeof(*to);
    if (array > bytes)
        return envp;
    /* The strings follow the array. */
    f = fmt_start((char *)room + array, bytes - array);
    for (size_t i = 0; i < count; i++)
        to[i] = envp[i] == old_preload ? put(&f, "LD_PRELOAD", library, preload)
                : envp[i] == old_asan  ? put(&f, ER_ENV_ASAN, asan, ER_ASAN_TAIL)
                                       : envp[i];
    if (!asan)
        to[count++] = put(&f, ER_ENV_ASAN, ER_ASAN_TAIL, NULL);
    if (!preload)
        to[count++] = put(&f, "LD_PRELOAD", library, NULL);
    if ((!preload + !asan) % 2)
        to[count++] = put(&f, ER_ENV_PAD, "", NULL);
    to[count++] = put(&f, ER_ENV_PRELOAD, library, NULL);
    to[count++] = put(&f, ER_ENV_FOUNDER, descend_founder, NULL);
    to[count++] = put(&f, ER_ENV_EXPNAME, own, NULL);
    to[count++] = put_params(&f);
    to[count] = NULL;
    return f.cut ? envp : to;
}
