/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/expt.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collector/preload/guard.h"
#include "collector/sig/clock.h"
#include "collector/sig/gate.h"
#include "collector/sig/space.h"
#include "share/fmt.h"

enum {
    HIGH_NUMBER = 1000, /* descriptors below are the target's to count on */
    PATH_BYTES = 4096,
};

u32 expt_pid;

static char path[PATH_BYTES];
static int dir_number = -1;
static dev_t dir_dev;
static ino_t dir_ino;

static int
open_path(void)
{
    int fd = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

    return fd < 0 ? -errno : fd;
}

/* The directory's descriptor; *extra is one to close afterwards, or -1. */
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

/* By the whole path, which takes one descriptor and not two. */
static int
open_whole(const char *name, int flags)
{
    char whole[PATH_BYTES + 64];
    struct fmt f = fmt_start(whole, sizeof(whole) - 1);
    int fd;

    fmt_str(&f, path);
    fmt_char(&f, '/');
    fmt_str(&f, name);
    *f.at = 0;
    fd = f.cut ? -1 : open(whole, O_WRONLY | flags | O_NOFOLLOW | O_CLOEXEC);
    return fd < 0 ? -EMFILE : fd;
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
    /* The target has used up its descriptors: ours of the directory can be had. */
    if (extra < 0) {
        close(dir);
        dir_number = -1;
    }
    return open_whole(name, flags);
}

int
expt_append(const char *name)
{
    if (gate_limited)
        return -EPERM;
    return open_file(name, O_APPEND);
}

int
expt_open_file(const char *name)
{
    return open_file(name, 0);
}

void
expt_event(enum er_event event, const char *arg1, const char *arg2,
           const struct log_attr *attrs, int nattrs)
{
    int saved = errno, state;
    u64 mask = guard_enter();
    int fd;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    fd = expt_append("log.xml");

    if (fd >= 0) {
        int pending = guard_xfsz_pending();

        log_event(fd, event, clock_mono(), arg1, arg2, attrs, nattrs);
        guard_xfsz_drain(pending);
        close(fd);
    }
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
map_file(int dir, const char *name, size_t len, void **base)
{
    int fd = openat(dir, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    int error = 0;

    if (fd < 0)
        return -errno;
    *base = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (*base == MAP_FAILED)
        error = -errno;
    close(fd);
    return error;
}

static int
map_data_files(int dir)
{
    for (int i = 0; i < FILE_COUNT; i++) {
        void *base;
        int error = map_file(dir, er_files[i].name, (size_t)SPACE_WINDOW * ER_SEGMENT,
                             &base);

        if (error < 0)
            return error;
        madvise(base, (size_t)SPACE_WINDOW * ER_SEGMENT, MADV_DONTFORK);
        space_start((enum er_file)i, base);
    }
    return 0;
}

static int
map_control(int dir)
{
    void *page;
    int error = map_file(dir, ".control", sizeof(struct ctl), &page);
    struct ctl *ctl = page;

    if (error < 0)
        return error;
    if (ctl->magic != ER_CTL_MAGIC || ctl->version != ER_CTL_VERSION) {
        munmap(page, sizeof(struct ctl));
        return -EPROTO;
    }
    space_ctl = ctl;
    if (!space_bell)
        space_bell = ctl;
    return 0;
}

/* Keep the directory open where it is in nobody's way; without it, the path serves. */
static void
keep(int dir)
{
    struct stat st;

    if (fstat(dir, &st) < 0)
        return;
    dir_dev = st.st_dev;
    dir_ino = st.st_ino;
    dir_number = fcntl(dir, F_DUPFD_CLOEXEC, HIGH_NUMBER);
}

int
expt_open(const char *experiment)
{
    int dir, error;

    if (strlen(experiment) >= sizeof(path))
        return -ENAMETOOLONG;
    strcpy(path, experiment);
    dir = open_path();
    if (dir < 0)
        return dir;
    error = map_data_files(dir);
    if (error == 0)
        error = map_control(dir);
    if (error == 0)
        keep(dir);
    close(dir);
    expt_pid = (u32)getpid();
    return error;
}

int
expt_open_again(const char *experiment)
{
    struct ctl *before = space_ctl;
    int extra, dir = directory(&extra);

    if (dir >= 0)
        close(dir);
    dir_number = -1;
    space_forget();
    if (before != space_bell)
        munmap(before, sizeof(*before));
    return expt_open(experiment);
}
