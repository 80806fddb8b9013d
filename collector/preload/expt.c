/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/expt.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "collector/sig/guard.h"
#include "collector/preload/stack.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/objtab.h"
#include "collector/sig/space.h"
#include "collector/sig/sys.h"
#include "share/fmt.h"

enum {
    HIGH_NUMBER = 1000, /* least number of our descriptors; targets use low ones */
    PATH_BYTES = 4096,
    /*
     * A short program touches only this much of a file, so read-ahead is not useful
     * here.
     */
    FEW_BYTES = 65536,
};

u32 expt_few_files;

static ER_LARGE char path[PATH_BYTES];
static u32 page_pid;        /* pid on the control page when it was mapped */
static int dir_number = -1; /* descriptor of the directory, -1 = not open */
static dev_t dir_dev;
static ino_t dir_ino;

/*
 * The files to which we append. They stay open, with high numbers, since the target may
 * change its user id and then could not open them any more.
 */
static struct kept {
    const char *name;
    int number;
    dev_t dev;
    ino_t ino;
} kept[] = { { "log.xml", -1, 0, 0 }, { "map.xml", -1, 0, 0 } };

/*
 * Set while a forked child opens its files: a descriptor of the directory of its
 * parent's experiment (else -1), and the relative path from there to its own. The child
 * may have another root directory, in which the absolute path is not valid.
 */
static int from = -1;
static ER_LARGE char below[PATH_BYTES];

static int
open_path(void)
{
    const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    int fd = open(path, flags);

    if (fd < 0 && from >= 0)
        fd = openat(from, below, flags);
    return fd < 0 ? -errno : fd;
}

/* The directory's descriptor, or -errno. *extra: one to close; less than 0 = none. */
static int
directory(int *extra)
{
    struct stat st;

    *extra = -1;
    if (dir_number >= 0 && fstat(dir_number, &st) == 0 && st.st_dev == dir_dev &&
        st.st_ino == dir_ino)
        return dir_number;
    return *extra = open_path();
}

static int
open_below(int dir, const char *way, const char *name, int flags)
{
    char whole[PATH_BYTES + 64];
    struct fmt f = fmt_start(whole, sizeof(whole) - 1);
    int fd;

    fmt_str(&f, way);
    fmt_char(&f, '/');
    fmt_str(&f, name);
    *f.at = 0;
    if (f.cut)
        return -ENAMETOOLONG;
    fd = openat(dir, whole, flags | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -errno : fd;
}

/* Open a file by its absolute path, which needs only one descriptor. */
static int
open_whole(const char *name, int flags)
{
    int fd = open_below(AT_FDCWD, path, name, flags);

    return fd < 0 && from >= 0 ? open_below(from, below, name, flags) : fd;
}

static int
open_file(const char *name, int flags)
{
    int extra, dir = directory(&extra), fd;

    if (dir < 0)
        return dir;
    fd = openat(dir, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC | flags);
    if (fd < 0)
        fd = -errno;
    if (extra >= 0)
        close(extra);
    if (fd != -EMFILE)
        return fd;
    /*
     * If the target has used up its descriptors, close the directory's, to have one for
     * the file.
     */
    if (extra < 0) {
        close(dir);
        dir_number = -1;
    }
    return open_whole(name, O_WRONLY | flags);
}

/*
 * Copy a descriptor; the copy's number is at least `lowest`. -1 = failed. By a raw
 * system call, since several families have a hook of fcntl(), and only the first one
 * could recognize our call.
 */
static int
copy_fd(int fd, int lowest)
{
    long copy = sys_call4(SYS_fcntl, fd, F_DUPFD_CLOEXEC, lowest, 0);

    return copy < 0 ? -1 : (int)copy;
}

/*
 * 1 if a descriptor is still the one we opened: the target may have reused the number.
 */
static int
is_kept(const struct kept *k, int fd)
{
    struct stat st;

    return fd >= 0 && fstat(fd, &st) == 0 && st.st_dev == k->dev && st.st_ino == k->ino;
}

/*
 * Copy a kept descriptor, and check the copy: the target may reuse the number at any
 * time.
 */
static int
copy_kept(const struct kept *k)
{
    int fd = k->number < 0 ? -1 : copy_fd(k->number, 0);

    if (fd < 0 || is_kept(k, fd))
        return fd;
    close(fd);
    return -1;
}

static int
kept_again(const char *name)
{
    for (size_t i = 0; i < ER_COUNT(kept); i++)
        if (!strcmp(kept[i].name, name))
            return copy_kept(&kept[i]);
    return -1;
}

int
expt_is_closed(void)
{
    return space_ctl &&
           (__atomic_load_n(&space_ctl->flags, __ATOMIC_ACQUIRE) & CTL_CLOSED) != 0;
}

int
expt_append(const char *name)
{
    int fd;

    if (gate_limited || expt_is_closed())
        return -EPERM;
    fd = kept_again(name);
    return fd >= 0 ? fd : open_file(name, O_APPEND);
}

int
expt_open_file(const char *name)
{
    return open_file(name, 0);
}

struct event_args {
    enum er_event event;
    int nattrs;
    const char *arg1;
    const char *arg2;
    const struct log_attr *attrs;
};

static void
write_event(void *arg)
{
    const struct event_args *e = arg;
    int fd = expt_append("log.xml"), error = fd;

    if (fd >= 0) {
        int pending = guard_xfsz_pending();

        error = log_event(fd, e->event, clock_mono(), e->arg1, e->arg2, e->attrs,
                          e->nattrs);
        guard_xfsz_drain(pending);
        close(fd);
    }
    if (error < 0 && space_ctl && !gate_limited && !expt_is_closed())
        __atomic_fetch_add(&space_ctl->unsaid, 1, __ATOMIC_RELAXED);
}

void
expt_event(enum er_event event, const char *arg1, const char *arg2,
           const struct log_attr *attrs, int nattrs)
{
    struct event_args args = { event, nattrs, arg1, arg2, attrs };
    int saved = errno, state;
    u64 mask = guard_enter();

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    stack_run(write_event, &args);
    guard_leave(mask);
    pthread_setcancelstate(state, NULL);
    errno = saved;
}

const char *
expt_error_name(int error)
{
    static char number[16];
    const char *name = strerrorname_np(error);
    struct fmt f = fmt_start(number, sizeof(number) - 1);

    if (name)
        return name;
    fmt_i64(&f, error);
    *f.at = 0;
    return number;
}

static int
map_opened(int fd, size_t len, void **base)
{
    int error = 0;

    if (fd < 0)
        return fd;
    *base = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*base == MAP_FAILED)
        error = -errno;
    close(fd);
    return error;
}

static int
map_file(int dir, const char *name, size_t len, void **base)
{
    int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

    return map_opened(fd < 0 ? -errno : fd, len, base);
}

static int
map_data_file(int dir, enum er_file file, u64 reserved)
{
    void *base;
    int error = map_file(dir, er_files[file].name, (size_t)SPACE_WINDOW * ER_SEGMENT,
                         &base);

    if (error < 0)
        return error;
    madvise(base, (size_t)SPACE_WINDOW * ER_SEGMENT, MADV_DONTFORK);
    /*
     * No read-ahead (FEW_BYTES). A descendant's file that begins small needs no call:
     * it is in the page cache already.
     */
    if (reserved >= ER_SEGMENT)
        madvise(base, FEW_BYTES, MADV_RANDOM);
    space_start(file, base);
    return 0;
}

static u64
reserved_of(int file)
{
    return __atomic_load_n(&space_ctl->file[file].reserved, __ATOMIC_ACQUIRE);
}

void
expt_map_late(enum er_file file)
{
    int saved = errno, dir, extra;
    u64 mask;

    if (space_files[file].mapped || !reserved_of(file) || gate_limited)
        return;
    mask = guard_enter();
    guard_lock(&guard_late);
    dir = directory(&extra);
    if (dir >= 0 && !space_files[file].mapped)
        (void)map_data_file(dir, file, ER_SEGMENT);
    if (extra >= 0)
        close(extra);
    guard_unlock(&guard_late);
    guard_leave(mask);
    errno = saved;
}

static int
map_data_files(int dir)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        u64 reserved = reserved_of(i);
        int is_late = i == FILE_overview && expt_few_files && reserved < ER_SEGMENT;
        int error;

        /*
         * A family that is not traced has no file. A late file is mapped when it is
         * needed.
         */
        if (!reserved || is_late)
            continue;
        error = map_data_file(dir, (enum er_file)i, reserved);
        if (error < 0)
            return error;
    }
    return 0;
}

int
expt_map_page(int fd, struct ctl **page)
{
    struct stat st;
    struct ctl *ctl;
    void *at;
    int error;

    if (fd >= 0 && (fstat(fd, &st) < 0 || st.st_size < (off_t)sizeof(struct ctl))) {
        close(fd);
        return -EPROTO;
    }
    error = map_opened(fd, sizeof(*ctl), &at);
    if (error < 0)
        return error;
    ctl = at;
    /*
     * Write first, but change nothing: that takes one page fault, while a read followed
     * by a write would take two.
     */
    __atomic_fetch_or(&ctl->flags, 0, __ATOMIC_RELAXED);
    if (ctl->magic != ER_CTL_MAGIC || ctl->version != ER_CTL_VERSION) {
        munmap(ctl, sizeof(*ctl));
        return -EPROTO;
    }
    *page = ctl;
    return 0;
}

static int
map_control(void)
{
    struct ctl *ctl;
    int error = expt_map_page(open_whole(".control", O_RDWR), &ctl);

    if (error < 0)
        return error;
    space_ctl = ctl;
    page_pid = ctl->pid;
    objtab_set_code(ctl->code, ER_CODE_RANGES);
    if (!space_wake_page)
        space_wake_page = ctl;
    return 0;
}

static void
keep_file(int dir, struct kept *k)
{
    int fd = openat(dir, k->name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    k->number = -1;
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0) {
        k->dev = st.st_dev;
        k->ino = st.st_ino;
        k->number = copy_fd(fd, HIGH_NUMBER);
    }
    close(fd);
}

/*
 * Keep the directory and the files of kept[] open, with high numbers; what cannot be
 * kept is opened by its path. dev and ino show later whether a number is still ours.
 */
static void
keep(int dir)
{
    struct stat st;

    if (fstat(dir, &st) < 0)
        return;
    dir_dev = st.st_dev;
    dir_ino = st.st_ino;
    dir_number = copy_fd(dir, HIGH_NUMBER);
    for (size_t i = 0; i < ER_COUNT(kept); i++)
        keep_file(dir, &kept[i]);
}

static void
forget_kept(void)
{
    dir_number = -1;
    for (size_t i = 0; i < ER_COUNT(kept); i++)
        kept[i].number = -1;
}

void
expt_release(void)
{
    int extra, dir = directory(&extra);

    if (dir >= 0)
        close(dir);
    for (size_t i = 0; i < ER_COUNT(kept); i++)
        if (is_kept(&kept[i], kept[i].number))
            close(kept[i].number);
    forget_kept();
}

void
expt_release_directory(void)
{
    int extra, dir = directory(&extra);

    if (dir >= 0)
        close(dir);
    dir_number = -1;
}

static void
unmap_all(void)
{
    for (int i = 0; i < FILE_COUNT; i++)
        if (space_files[i].mapped)
            munmap(space_segments[0][i], (size_t)SPACE_WINDOW * ER_SEGMENT);
    space_forget();
    objtab_set_code(NULL, 0);
    if (space_wake_page != space_ctl)
        munmap(space_ctl, sizeof(*space_ctl));
    space_ctl = NULL;
}

static int
open_data(void)
{
    int dir = open_path(), error;

    if (dir < 0)
        return dir;
    error = map_data_files(dir);
    if (error == 0)
        keep(dir);
    close(dir);
    return error;
}

int
expt_open(const char *experiment)
{
    int error;

    if (strlen(experiment) >= sizeof(path))
        return -ENAMETOOLONG;
    strcpy(path, experiment);
    space_pid = (u32)getpid();
    error = map_control();
    if (error < 0)
        return error;
    error = open_data();
    if (error < 0) {
        /*
         * Leave the error to the launcher, which logs it: this process may have no
         * descriptor left to open the log.
         */
        __atomic_store_n(&space_ctl->error, (u32)-error, __ATOMIC_RELEASE);
        unmap_all();
    }
    return error;
}

/*
 * Set `below`: the relative path from this experiment's directory to another experiment
 * of the same founder. 0 = it is too long.
 */
static int
find_way(const char *experiment)
{
    size_t len = strlen(path);
    const char *name = strrchr(experiment, '/');
    struct fmt f = fmt_start(below, sizeof(below) - 1);

    if (!name || strlen(experiment) >= sizeof(below))
        return 0;
    if (strncmp(experiment, path, len) || experiment[len] != '/')
        fmt_str(&f, "../");
    fmt_str(&f, name + 1);
    *f.at = 0;
    return !f.cut;
}

/*
 * Has the recording of process pid (0 = do not check) set one of these flags? 1 also if
 * the control page serves another process by now, since the first one has ended.
 */
static int
is_over(const struct ctl *ctl, u32 pid, u32 flags)
{
    if (pid && ctl->pid != pid)
        return 1;
    return (__atomic_load_n(&ctl->flags, __ATOMIC_ACQUIRE) & flags) != 0;
}

int
expt_is_over(void)
{
    return !space_ctl || is_over(space_ctl, page_pid, CTL_ENDED | CTL_DETACHED);
}

/*
 * Log for the parent, unless its recording has ended, that this child is not recorded.
 */
static void
log_for_parent(const struct kept *log, int ended, int error)
{
    char reason[80];
    struct fmt f = fmt_start(reason, sizeof(reason) - 1);

    if (!is_kept(log, log->number) || ended)
        return;
    fmt_str(&f, "it cannot open its experiment: ");
    fmt_str(&f, expt_error_name(error));
    *f.at = 0;
    log_event(log->number, EVENT_descendant_lost, clock_mono(),
              program_invocation_short_name, reason, NULL, 0);
}

int
expt_open_again(const char *experiment)
{
    struct kept old[ER_COUNT(kept)];
    struct ctl *before = space_ctl;
    u32 pid = page_pid;
    int extra, dir = directory(&extra), error;

    from = find_way(experiment) ? dir : -1;
    memcpy(old, kept, sizeof(old));
    space_forget();
    error = expt_open(experiment);
    if (error < 0) {
        space_pid = (u32)getpid();
        log_for_parent(&old[0], is_over(before, pid, CTL_ENDED), -error);
    }
    from = -1;
    if (dir >= 0)
        close(dir);
    for (size_t i = 0; i < ER_COUNT(old); i++)
        if (is_kept(&old[i], old[i].number))
            close(old[i].number);
    if (before != space_wake_page)
        munmap(before, sizeof(*before));
    if (error < 0) {
        objtab_set_code(NULL, 0);
        space_ctl = NULL;
        forget_kept();
    }
    return error;
}
