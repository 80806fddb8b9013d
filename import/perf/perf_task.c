/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tasks of perf.data and their mappings, at the time of the record that is being
 * read. If a process id is used again, that is a new process; so is the program after
 * an exec.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "archive/elf/image.h"
#include "import/kernel.h"
#include "import/perf/perf.h"
#include "print/base/array.h"

enum {
    SEGMENTS = 8, /* executable segments of an object that are kept */
    PAGE = 4096,
    MAPS_LEAST = 1 << 16,
};

/* A file that was mapped, by one or several processes. */
struct dso {
    const char *name;
    const char *buildid;
    u32 major, minor;
    u64 inode;
    bool opened; /* read_segments() has read the file on this machine */
    u64 fsize;   /* 0 = the file is not here, or is another one now */
    u64 mtime;
    struct image_segment segment[SEGMENTS];
    u32 nsegments;
    bool is_own_vdso; /* it equals the vdso of this process */
};

struct mapping {
    u64 start, end, offset;
    u64 time;
    u32 dso;
    u32 object; /* number in the task's process, 0 = none yet */
};

struct task {
    u32 pid;
    u32 process; /* number in import.h */
    u32 kernel;  /* the process's object for the kernel, 0 = none yet */
    struct mapping *map; /* sorted by address */
    u32 nmaps, maps_room;
};

struct thread {
    u32 tid;
    u32 process; /* the process in which it has `number` */
    u32 number;  /* 0 = it had no hit yet */
    char name[16];
};

struct perf_tasks {
    struct task *task;
    u32 ntasks, tasks_room;
    struct hash pids;
    struct thread *thread;
    u32 nthreads, threads_room;
    struct hash tids;
    struct dso *dso;
    u32 ndsos, dsos_room;
    struct hash dsos;
    const char *kernel; /* build-id of the kernel */
    u64 maps_left; /* limits memory: mappings that forks may still copy */
};

static void pass_mapping(struct perf *p, const struct mapping *m);

struct key {
    const struct perf_tasks *tasks;
    const struct dso *dso;
    u32 id;
};

int
perf_tasks_open(struct perf *p)
{
    p->tasks = calloc(1, sizeof(*p->tasks));
    if (!p->tasks)
        return -ENOMEM;
    p->tasks->kernel = perf_buildid_of(p, KERNEL_NAME);
    p->tasks->maps_left = MAPS_LEAST + p->file.size / 4;
    return 0;
}

void
perf_tasks_close(struct perf *p)
{
    struct perf_tasks *t = p->tasks;

    if (!t)
        return;
    for (u32 i = 0; i < t->ntasks; i++)
        free(t->task[i].map);
    free(t->task);
    free(t->thread);
    free(t->dso);
    hash_free(&t->pids);
    hash_free(&t->tids);
    hash_free(&t->dsos);
    free(t);
    p->tasks = NULL;
}

static bool
same_pid(const void *context, u32 index)
{
    const struct key *key = context;

    return key->tasks->task[index].pid == key->id;
}

static bool
same_tid(const void *context, u32 index)
{
    const struct key *key = context;

    return key->tasks->thread[index].tid == key->id;
}

/* The task with that process id, which is added if it is new; NULL: no memory. */
static struct task *
task_of(struct perf *p, u32 pid, u64 time)
{
    struct perf_tasks *t = p->tasks;
    struct key key = { .tasks = t, .id = pid };
    u32 hash = (u32)hash_mix(pid), at = hash_find(&t->pids, hash, same_pid, &key);
    struct task new = { .pid = pid };

    if (at != HASH_NONE)
        return &t->task[at];
    new.process = import_process(p->im, pid, 0, time);
    if (!new.process ||
        array_room(&t->task, &t->tasks_room, t->ntasks + 1, sizeof(new)) < 0 ||
        hash_add(&t->pids, hash, t->ntasks) < 0) {
        p->im->failed = true;
        return NULL;
    }
    t->task[t->ntasks] = new;
    return &t->task[t->ntasks++];
}

static struct thread *
thread_of(struct perf *p, u32 tid)
{
    struct perf_tasks *t = p->tasks;
    struct key key = { .tasks = t, .id = tid };
    u32 hash = (u32)hash_mix(tid), at = hash_find(&t->tids, hash, same_tid, &key);

    if (at != HASH_NONE)
        return &t->thread[at];
    if (array_room(&t->thread, &t->threads_room, t->nthreads + 1,
                   sizeof(*t->thread)) < 0 ||
        hash_add(&t->tids, hash, t->nthreads) < 0) {
        p->im->failed = true;
        return NULL;
    }
    t->thread[t->nthreads] = (struct thread){ .tid = tid };
    return &t->thread[t->nthreads++];
}

/* From now on, the task is another program (exec) or another process (fork). */
static void
renew(struct perf *p, struct task *task, u32 ppid, u32 creator, char how, u64 time)
{
    u32 process = import_process(p->im, task->pid, ppid, time);

    if (!process)
        return;
    p->im->process[process - 1].creator = creator;
    p->im->process[process - 1].how = how;
    import_process_ended(p->im, task->process);
    task->process = process;
    task->kernel = 0;
    task->nmaps = 0;
}

void
perf_tasks_comm(struct perf *p, u32 pid, u32 tid, const char *name, bool exec, u64 time)
{
    struct task *task = task_of(p, pid, time);
    struct thread *thread = task ? thread_of(p, tid) : NULL;
    struct import_process *process;

    if (!thread)
        return;
    process = &p->im->process[task->process - 1];
    if (exec)
        renew(p, task, process->ppid, task->process, 'x', time);
    process = &p->im->process[task->process - 1];
    /* A path that is known from a mapping is more precise: keep it. */
    if (pid == tid && (exec || process->name[0] != '/'))
        process->name = import_text(p->im, name, sizeof(thread->name));
    snprintf(thread->name, sizeof(thread->name), "%s", name);
    if (thread->number && thread->process == task->process)
        memcpy(process->thread[thread->number - 1].name, thread->name,
               sizeof(thread->name));
}

static void
copy_maps(struct perf *p, struct task *to, const struct task *from)
{
    /* Refuse the file: a genuine one has far fewer mappings. */
    if (from->nmaps > p->tasks->maps_left) {
        import_fail(p->im, "forks in it have more mappings than can be");
        return;
    }
    p->tasks->maps_left -= from->nmaps;
    if (array_room(&to->map, &to->maps_room, from->nmaps, sizeof(*to->map)) < 0) {
        p->im->failed = true;
        return;
    }
    for (u32 i = 0; i < from->nmaps; i++) {
        to->map[i] = from->map[i];
        to->map[i].object = 0;
    }
    to->nmaps = from->nmaps;
}

void
perf_tasks_fork(struct perf *p, u32 pid, u32 ppid, u32 tid, u64 time)
{
    struct task *parent = task_of(p, ppid, time), *child;
    struct thread *thread = parent ? thread_of(p, tid) : NULL;
    struct thread *maker = thread ? thread_of(p, ppid) : NULL;
    u32 before = p->tasks->ntasks, at;

    if (!maker)
        return;
    thread = thread_of(p, tid);
    thread->number = 0;
    memcpy(thread->name, maker->name, sizeof(thread->name));
    if (pid == ppid)
        return;
    at = (u32)(parent - p->tasks->task);
    child = task_of(p, pid, time);
    if (!child)
        return;
    parent = &p->tasks->task[at];
    if (p->tasks->ntasks == before)
        renew(p, child, ppid, 0, 'f', time);
    p->im->process[child->process - 1].ppid = ppid;
    p->im->process[child->process - 1].creator = parent->process;
    p->im->process[child->process - 1].how = 'f';
    p->im->process[child->process - 1].name =
        p->im->process[parent->process - 1].name;
    copy_maps(p, child, parent);
}

/*
 * Notes the end of a process, when its first thread ends. If the process id is used
 * again, perf_tasks_fork() makes the task a new process.
 */
void
perf_tasks_exit(struct perf *p, u32 pid, u32 tid, u64 time)
{
    struct task *task = task_of(p, pid, time);

    if (!task || pid != tid)
        return;
    if (p->im->process[task->process - 1].end < time)
        p->im->process[task->process - 1].end = time;
    import_process_ended(p->im, task->process);
}

static bool
same_dso(const void *context, u32 index)
{
    const struct key *key = context;
    const struct dso *a = &key->tasks->dso[index], *b = key->dso;

    return !strcmp(a->name, b->name) && !strcmp(a->buildid, b->buildid) &&
           a->inode == b->inode;
}

static u32
dso_of(struct perf *p, const struct perf_mapping *m)
{
    struct perf_tasks *t = p->tasks;
    struct dso new = { .name = m->name, .buildid = m->buildid, .major = m->major,
                       .minor = m->minor, .inode = m->inode };
    struct key key = { .tasks = t, .dso = &new };
    u32 hash = (u32)hash_str(m->inode, m->name), at;

    if (!*new.buildid)
        new.buildid = perf_buildid_of(p, m->name);
    at = hash_find(&t->dsos, hash, same_dso, &key);
    if (at != HASH_NONE)
        return at;
    new.name = import_text(p->im, m->name, strlen(m->name));
    new.buildid = import_text(p->im, new.buildid, strlen(new.buildid));
    if (array_room(&t->dso, &t->dsos_room, t->ndsos + 1, sizeof(new)) < 0 ||
        hash_add(&t->dsos, hash, t->ndsos) < 0) {
        p->im->failed = true;
        return HASH_NONE;
    }
    t->dso[t->ndsos] = new;
    return t->ndsos++;
}

/*
 * Removes a range from the task's mappings; of a mapping that overlaps it, the other
 * parts remain.
 */
static void
cut_out(struct perf *p, struct task *task, u64 start, u64 end)
{
    struct mapping tail = { 0 };
    u32 kept = 0;

    for (u32 i = 0; i < task->nmaps; i++) {
        struct mapping m = task->map[i];

        if (m.start < end && m.end > end) {
            tail = m;
            tail.offset += end - m.start;
            tail.start = end;
            tail.object = 0;
        }
        if (m.start < end && m.end > start) {
            if (m.start >= start)
                continue;
            m.end = start;
        }
        task->map[kept++] = m;
    }
    task->nmaps = kept;
    if (!tail.end)
        return;
    if (array_room(&task->map, &task->maps_room, kept + 1, sizeof(tail)) < 0) {
        p->im->failed = true;
        return;
    }
    for (; kept && task->map[kept - 1].start > tail.start; kept--)
        task->map[kept] = task->map[kept - 1];
    task->map[kept] = tail;
    task->nmaps++;
}

void
perf_tasks_map(struct perf *p, const struct perf_mapping *m)
{
    struct mapping new = { m->start, m->start + m->size, m->offset, m->time, 0, 0 };
    struct task *task;
    u32 at;

    if (m->kernel) {
        if (*m->buildid && !strncmp(m->name, KERNEL_NAME, strlen(KERNEL_NAME)))
            p->tasks->kernel = import_text(p->im, m->buildid, strlen(m->buildid));
        return;
    }
    task = m->size && new.end > m->start ? task_of(p, m->pid, m->time) : NULL;
    if (!task)
        return;
    new.dso = dso_of(p, m);
    if (new.dso == HASH_NONE)
        return;
    /* Take the first file that a process maps for its program. */
    if (!task->nmaps && m->name[0] == '/')
        p->im->process[task->process - 1].name = p->tasks->dso[new.dso].name;
    cut_out(p, task, new.start, new.end);
    if (array_room(&task->map, &task->maps_room, task->nmaps + 1, sizeof(new)) < 0) {
        p->im->failed = true;
        return;
    }
    for (at = task->nmaps; at && task->map[at - 1].start > new.start; at--)
        task->map[at] = task->map[at - 1];
    task->map[at] = new;
    task->nmaps++;
    if (perf_stacks_has(p, task->process))
        pass_mapping(p, &task->map[at]);
}

bool
perf_tasks_find(struct perf *p, u32 pid, u32 tid, u64 time, struct import_hit *hit)
{
    struct task *task = task_of(p, pid, time);
    struct thread *thread = task ? thread_of(p, tid) : NULL;

    if (!thread)
        return false;
    if (!thread->number || thread->process != task->process) {
        thread->process = task->process;
        thread->number = import_thread(p->im, task->process, tid, time);
        if (!thread->number)
            return false;
        memcpy(p->im->process[task->process - 1].thread[thread->number - 1].name,
               thread->name, sizeof(thread->name));
    }
    hit->process = task->process;
    hit->thread = thread->number;
    return true;
}

/* Is the file the one that was mapped? */
static bool
is_same(const struct dso *dso, const struct image *img)
{
    if (*dso->buildid)
        return !strcmp(dso->buildid, img->buildid);
    return dso->inode && dso->inode == img->st.st_ino &&
           makedev(dso->major, dso->minor) == img->st.st_dev;
}

/* Is it the build-id of the running kernel's vdso? */
static bool
is_own_vdso(const char *buildid)
{
    const unsigned char *own = (const void *)getauxval(AT_SYSINFO_EHDR);
    Elf64_Ehdr header;
    struct image img;
    bool same;

    if (!own || !*buildid)
        return false;
    memcpy(&header, own, sizeof(header));
    if (image_open_memory(&img, "[vdso]",
                          (struct bytes){ own, header.e_shoff + (size_t)header.e_shnum *
                                                   header.e_shentsize },
                          false) < 0)
        return false;
    same = !strcmp(img.buildid, buildid);
    image_close(&img);
    return same;
}

/* Reads the segments with code, if the file that was mapped is still there. */
static void
read_segments(struct perf *p, struct dso *dso)
{
    struct image_segment segment;
    struct image img;

    dso->opened = true;
    dso->is_own_vdso = !strcmp(dso->name, "[vdso]") && is_own_vdso(dso->buildid);
    if (dso->name[0] != '/' || image_open(&img, AT_FDCWD, dso->name) < 0)
        return;
    if (is_same(dso, &img)) {
        dso->fsize = (u64)img.st.st_size;
        dso->mtime = (u64)img.st.st_mtim.tv_sec * 1000000000u +
                     (u64)img.st.st_mtim.tv_nsec;
        dso->inode = img.st.st_ino;
        dso->major = major(img.st.st_dev);
        dso->minor = minor(img.st.st_dev);
        if (!*dso->buildid)
            dso->buildid = import_text(p->im, img.buildid, sizeof(img.buildid));
        for (u32 i = 0; image_segment(&img, i, &segment); i++)
            if (segment.type == PT_LOAD && segment.flags & PF_X &&
                dso->nsegments < SEGMENTS)
                dso->segment[dso->nsegments++] = segment;
    }
    image_close(&img);
}

/* The bias: an address minus this is the link-time address in the file. */
static u64
bias_of(const struct dso *dso, const struct mapping *m)
{
    for (u32 i = 0; i < dso->nsegments; i++) {
        const struct image_segment *s = &dso->segment[i];

        if (m->offset >= s->offset - s->offset % PAGE &&
            m->offset < s->offset + s->filesz)
            return m->start - m->offset + s->offset - s->vaddr;
    }
    return m->start - m->offset;
}

/*
 * Opens the file that was mapped. Returns a descriptor, which the caller closes, or a
 * value of enum mirror_fd.
 */
static int
open_dso(const struct dso *dso)
{
    struct stat st;
    int fd;

    if (dso->is_own_vdso)
        return MIRROR_OWN_VDSO;
    if (!dso->fsize)
        return MIRROR_NO_FILE;
    fd = open(dso->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return MIRROR_NO_FILE;
    if (fstat(fd, &st) == 0 && st.st_ino == dso->inode &&
        st.st_dev == makedev(dso->major, dso->minor))
        return fd;
    close(fd);
    return MIRROR_NO_FILE;
}

static void
pass_mapping(struct perf *p, const struct mapping *m)
{
    struct dso *dso = &p->tasks->dso[m->dso];
    int fd;

    if (!dso->opened)
        read_segments(p, dso);
    fd = open_dso(dso);
    perf_stacks_map(p, &(struct mirror_mapping){ .lo = m->start, .hi = m->end,
                                                 .offset = m->offset,
                                                 .name = dso->name },
                    fd, bias_of(dso, m));
    if (fd >= 0)
        close(fd);
}

void
perf_tasks_map_all(struct perf *p, u32 pid)
{
    const struct task *task = task_of(p, pid, 0);

    for (u32 i = 0; task && i < task->nmaps; i++)
        pass_mapping(p, &task->map[i]);
}

static const char *
kind_of(const char *name)
{
    if (!strcmp(name, "[vdso]"))
        return "vdso";
    return name[0] == '/' && name[1] != '/' && strncmp(name, "/memfd:", 7) != 0
               ? "file"
               : "anon";
}

static u32
make_object(struct perf *p, u32 process, const struct mapping *m, bool main)
{
    struct dso *dso = &p->tasks->dso[m->dso];
    struct import_object object = { .lo = m->start, .hi = m->end, .time = m->time,
                                    .name = dso->name, .main = main };

    if (!dso->opened)
        read_segments(p, dso);
    object.kind = kind_of(dso->name);
    object.buildid = dso->buildid;
    object.bias = bias_of(dso, m);
    if (dso->fsize)
        snprintf(object.dev, sizeof(object.dev), "%x:%x", dso->major, dso->minor);
    object.inode = dso->inode;
    object.fsize = dso->fsize;
    object.mtime = dso->mtime;
    return import_object(p->im, process, &object);
}

static u32
kernel_object(struct perf *p, struct task *task, u32 process)
{
    struct import_object object = {
        .kind = "file", .name = KERNEL_NAME, .buildid = p->tasks->kernel,
        .lo = KERNEL_FROM & IMPORT_PC_MASK, .hi = IMPORT_PC_MASK + 1,
        .bias = IMPORT_PC_MASK + 1,
    };

    if (!task->kernel)
        task->kernel = import_object(p->im, process, &object);
    return task->kernel;
}

u32
perf_tasks_object(struct perf *p, u32 pid, u32 process, u64 pc, bool kernel, u64 time)
{
    struct task *task = task_of(p, pid, time);
    u32 lo = 0, hi;

    if (!task)
        return 0;
    if (kernel)
        return pc >= KERNEL_FROM ? kernel_object(p, task, process) : 0;
    for (hi = task->nmaps; lo < hi;) {
        u32 mid = lo + (hi - lo) / 2;

        if (task->map[mid].end <= pc)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == task->nmaps || task->map[lo].start > pc)
        return 0;
    if (!task->map[lo].object)
        task->map[lo].object = make_object(
            p, process, &task->map[lo],
            !strcmp(p->tasks->dso[task->map[lo].dso].name,
                    p->im->process[process - 1].name));
    return task->map[lo].object;
}
