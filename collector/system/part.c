/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/system/part.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/head.h"
#include "collector/launch/pool.h"
#include "collector/launch/room.h"
#include "collector/launch/tail.h"
#include "collector/outside/ring.h"
#include "collector/system/writer.h"
#include "share/logxml.h"

enum {
    PIPE_BYTES = 1 << 20,   /* capacity of the pipe to a writer */
    QUEUE_MOST = 64 << 20,  /* bytes that wait for one writer, at most */
    ARGUMENT_BYTES = 16384, /* most bytes of a command line that are logged */
    ARGUMENTS = 512,        /* most of its arguments */
};

struct moment
part_moment(const struct recording *machine, u64 mono)
{
    struct moment now = moment_now(machine->host.tsc);
    u64 ago = now.mono > mono ? now.mono - mono : 0;

    now.mono -= ago;
    now.wall -= ago;
    now.tick -= machine->host.tsc
                    ? (u64)((double)ago * (double)machine->params.tsc / 1e9)
                    : ago;
    return now;
}

/* The program's path: the first mapping of a file; "" if there is none. */
static const char *
file_of(const struct census_process *p)
{
    for (u32 i = 0; i < p->maps; i++)
        if (p->map[i].name[0] == '/' && p->map[i].name[1] != '/')
            return p->map[i].name;
    return "";
}

/* Make the name _NAME_PID_NUMBER.N.er; characters unfit for a file name become '_'. */
static void
choose_name(struct recording *s, struct census_process *p)
{
    char name[CENSUS_NAME];

    strcpy(name, p->name);
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr(".+-_", *c))
            *c = '_';
    snprintf(s->name, sizeof(s->name), "_%s_PID_%u.%u" EXPERIMENT_SUFFIX, name, p->pid,
             ++p->parts);
}

/*
 * Log the command line, if the process still runs this program: it may have ended or
 * executed another one before its records are read. Else log the program's path alone.
 */
static int
write_log_head(struct recording *s, const struct census_process *p, const char *creator)
{
    char text[ARGUMENT_BYTES], link[64], path[PATH_MAX], wd[PATH_MAX];
    char *args[ARGUMENTS + 1];
    struct head_process process = { .ppid = (pid_t)p->parent,
                                    .wd = wd,
                                    .args = args,
                                    .how = "sampled",
                                    .creator = creator };
    ssize_t len;
    size_t n = 0;

    snprintf(link, sizeof(link), "/proc/%u/cwd", p->pid);
    len = readlink(link, wd, sizeof(wd) - 1);
    wd[len > 0 ? len : 0] = '\0';
    snprintf(link, sizeof(link), "/proc/%u/exe", p->pid);
    len = readlink(link, path, sizeof(path) - 1);
    path[len > 0 ? len : 0] = '\0';
    if (!strcmp(path, s->program))
        n = account_read_args(s->pid, text, sizeof(text), args, ARGUMENTS);
    if (!n)
        args[n++] = *s->program ? s->program : s->name;
    args[n] = NULL;
    return head_log(s, &process);
}

static void
log_start(const struct recording *s)
{
    const struct log_attr attrs[] = {
        { "pid", NULL, (u64)s->pid },
        { "tick", NULL, s->start.tick },
        { "mono", NULL, s->start.mono },
        { "wall", NULL, s->start.wall },
    };

    (void)log_event(s->experiment.log, EVENT_machine, s->start.mono, NULL, NULL, attrs,
                    ER_COUNT(attrs));
}

static int
start_writer(struct part *part, struct census_process *p, u32 stack)
{
    int feed[2], ret;

    if (pipe2(feed, O_CLOEXEC) < 0)
        return -errno;
    (void)fcntl(feed[1], F_SETPIPE_SZ, PIPE_BYTES);
    part->writer = fork();
    if (part->writer == 0) {
        close(feed[1]);
        writer_run(part->s, p, stack, feed[0]);
    }
    ret = part->writer < 0 ? -errno : 0;
    close(feed[0]);
    if (ret == 0)
        ret = fcntl(feed[1], F_SETFL, O_NONBLOCK) < 0 ? -errno : 0;
    if (ret == 0)
        part->feed = feed[1];
    else
        close(feed[1]);
    return ret;
}

static int
start(struct part **out, struct recording *s, struct census_process *p, u32 stack)
{
    struct part *part = calloc(1, sizeof(*part));
    struct ctl *ctl = s->experiment.ctl;
    int ret;

    if (!part)
        return -ENOMEM;
    part->s = s;
    part->process = p;
    part->feed = -1;
    ctl->pid = (u32)s->pid;
    ctl->waiting = 1;
    ctl->tick = s->start.tick;
    ctl->mono = s->start.mono;
    ctl->flags |= CTL_ATTACHED;
    log_start(s);
    ret = start_writer(part, p, stack);
    if (ret < 0)
        free(part);
    else
        *out = part;
    return ret;
}

static void
fill(struct recording *s, const struct recording *machine, struct census_process *p)
{
    s->request = machine->request;
    s->host = machine->host;
    s->params = machine->params;
    s->parent = machine->experiment.dir;
    s->pid = (pid_t)p->pid;
    s->start = machine->start;
    if (p->born > machine->start.mono)
        s->start = part_moment(machine, p->born);
    snprintf(s->program, sizeof(s->program), "%s", file_of(p));
}

int
part_start(struct part **out, const struct recording *machine, struct census_process *p,
           u32 stack)
{
    struct recording *s = calloc(1, sizeof(*s));
    int ret;

    if (!s)
        return -ENOMEM;
    fill(s, machine, p);
    /*
     * Choose another name if an earlier process with the same id and name has taken
     * this one.
     */
    do {
        choose_name(s, p);
        ret = experiment_create_small(&s->experiment, s->parent, s->name, &pool_supply);
    } while (ret == -EEXIST);
    if (ret < 0) {
        free(s);
        return ret;
    }
    ret = write_log_head(s, p, "");
    if (ret >= 0)
        ret = head_map(s);
    if (ret >= 0)
        ret = start(out, s, p, stack);
    if (ret < 0) {
        experiment_discard(&s->experiment, s->parent, s->name);
        free(s);
    }
    return ret;
}

int
part_start_machine(struct part **out, struct recording *s, u32 stack)
{
    return start(out, s, NULL, stack);
}

static void
flush(struct part *part)
{
    size_t at = 0;

    while (part->feed >= 0 && at < part->queued) {
        ssize_t n = write(part->feed, part->queue + at, part->queued - at);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 && errno == EAGAIN)
            break;
        /* The writer has ended too early: stop feeding it. part_is_over() logs why. */
        if (n < 0) {
            close(part->feed);
            part->feed = -1;
            break;
        }
        at += (size_t)n;
    }
    if (part->feed < 0)
        at = part->queued;
    memmove(part->queue, part->queue + at, part->queued - at);
    part->queued -= at;
}

static int
make_room(struct part *part, size_t bytes)
{
    size_t room = part->room ? part->room : 2 * RING_RECORD;
    unsigned char *grown;

    while (room < part->queued + bytes)
        room *= 2;
    if (room == part->room)
        return 0;
    grown = room <= QUEUE_MOST ? realloc(part->queue, room) : NULL;
    if (!grown)
        return -ENOMEM;
    part->queue = grown;
    part->room = room;
    return 0;
}

static void
put(struct part *part, const void *bytes, size_t size)
{
    memcpy(part->queue + part->queued, bytes, size);
    part->queued += size;
}

void
part_feed(struct part *part, const unsigned char *record, u64 mono, u64 weight)
{
    const struct part_record head = { mono, weight };
    struct perf_event_header header;

    memcpy(&header, record, sizeof(header));
    if (part->feed < 0)
        return;
    if (make_room(part, sizeof(head) + header.size) < 0) {
        part->lost++;
        return;
    }
    put(part, &head, sizeof(head));
    put(part, record, header.size);
    if (part->queued > RING_RECORD)
        flush(part);
}

void
part_serve(struct part *part)
{
    if (__atomic_exchange_n(&part->s->experiment.ctl->want, 0, __ATOMIC_ACQ_REL))
        room_serve(part->s);
    flush(part);
}

void
part_stop(struct part *part, int ended, const char *how)
{
    const struct part_record end = { PART_END, 0 };

    part->ended = ended;
    snprintf(part->how, sizeof(part->how), "%s", how);
    part->over = 1;
    if (make_room(part, sizeof(end)) == 0)
        put(part, &end, sizeof(end));
    else
        part->lost++;
    flush(part);
}

static void
log_broken(const struct part *part, int status)
{
    char why[64];

    if (WIFSIGNALED(status))
        snprintf(why, sizeof(why), "signal %d", WTERMSIG(status));
    else
        snprintf(why, sizeof(why), "%s", strerror(WEXITSTATUS(status)));
    (void)log_event(part->s->experiment.log, EVENT_outside_ended, moment_mono(), why,
                    NULL, NULL, 0);
}

int
part_is_over(struct part *part)
{
    int status = 0;

    part_serve(part);
    if (waitpid(part->writer, &status, WNOHANG) == 0)
        return 0;
    if (part->feed >= 0)
        close(part->feed);
    part->feed = -1;
    if (status)
        log_broken(part, status);
    return 1;
}

static void
log_end(const struct part *part)
{
    const struct recording *s = part->s;
    struct moment now = moment_now(s->host.tsc);
    char sizes[EXPERIMENT_SIZES], lost[32];
    /*
     * The whole machine's system time includes its idle time, as its samples in idle
     * tasks are the kernel's: subtract that. It is 0 for a process.
     */
    u64 idle = s->experiment.ctl->counted;
    u64 system = part->system > idle ? part->system - idle : 0;
    const struct log_attr attrs[] = {
        { "user", NULL, part->user },
        { "system", NULL, system },
        { "total", NULL, part->user + system },
        { "tick", NULL, now.tick },
        { "mono", NULL, now.mono },
        { "wall", NULL, now.wall },
        { "sizes", sizes, 0 },
    };

    if (part->lost) {
        snprintf(lost, sizeof(lost), "%llu", (unsigned long long)part->lost);
        (void)log_event(s->experiment.log, EVENT_outside_lost, now.mono, lost, NULL,
                        NULL, 0);
    }
    experiment_sizes(&s->experiment, sizes);
    tail_unsaid(&s->experiment, now.mono);
    (void)log_event(s->experiment.log, part->ended ? EVENT_end : EVENT_machine_end,
                    now.mono, part->how, NULL, attrs, ER_COUNT(attrs));
}

void
part_close(struct part *part)
{
    struct recording *s = part->s;

    log_end(part);
    tail_put(&s->experiment);
    experiment_trim_data(&s->experiment);
    (void)pool_add_control(&s->experiment);
    experiment_trim_rest(&s->experiment);
    experiment_close(&s->experiment);
    if (part->process)
        free(s);
    free(part->queue);
    free(part);
}
