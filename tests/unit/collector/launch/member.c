/* SPDX-License-Identifier: Apache-2.0 */
/* The experiment of a descendant, which is this process or a child of it. */
#include "collector/launch/member.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collector/launch/pool.h"

static char scratch[64];
static struct request request;
static struct recording founder;
static struct ctl_request asked;

static void
start(void)
{
    strcpy(scratch, "/tmp/ertools-member.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    founder.request = &request;
    founder.experiment.dir = open(scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_geq(founder.experiment.dir, 0);
    pool_start(founder.experiment.dir);
    memset(&asked, 0, sizeof(asked));
    asked.how = HOW_SPAWN;
    asked.ppid = 4711;
}

static void
stop(void)
{
    char command[128] = "rm -rf ";

    pool_end();
    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(member, .init = start, .fini = stop);

static struct member *
make(const char *name, pid_t pid, int map)
{
    struct member *m;

    cr_assert_eq(member_make(&m, &founder, &founder, name, pid, &asked, map), 0);
    return m;
}

/* All of a file, for free(). */
static char *
text_of(const char *path)
{
    int fd = openat(founder.experiment.dir, path, O_RDONLY);
    struct stat st;
    char *text;

    cr_assert_geq(fd, 0, "%s", path);
    cr_assert_eq(fstat(fd, &st), 0);
    text = calloc(1, (size_t)st.st_size + 1);
    cr_assert_eq(read(fd, text, (size_t)st.st_size), st.st_size);
    close(fd);
    return text;
}

static void
put_away(struct member *m)
{
    member_close(m);
    member_free(m);
}

static u64
size_of(const char *path)
{
    struct stat st;

    cr_assert_eq(fstatat(founder.experiment.dir, path, &st, 0), 0, "%s", path);
    return (u64)st.st_size;
}

Test(member, says_who_it_is)
{
    struct member *m;
    char *log, *map, pid[64];

    asked.how = HOW_EXEC;
    strcpy(asked.creator, "_f7.er");
    m = make("_f7_x1.er", getpid(), -1);
    cr_assert_eq(m->s.experiment.ctl->pid, (u32)getpid());
    cr_assert_eq(m->s.experiment.ctl->waiting, 1);
    log = text_of("_f7_x1.er/log.xml");
    snprintf(pid, sizeof(pid), "<process pid=\"%d\" ppid=\"4711\"", getpid());
    cr_assert_not_null(strstr(log, pid), "%s", log);
    cr_assert_not_null(strstr(log, "<descent how=\"exec\" creator=\"_f7.er\"/>"));
    cr_assert_not_null(strstr(log, m->s.program));
    cr_assert_null(strstr(log, "</experiment>"));
    map = text_of("_f7_x1.er/map.xml");
    cr_assert_not_null(strstr(map, "<map version="));
    free(log);
    free(map);
    put_away(m);
}

Test(member, the_files_are_described_by_the_founder)
{
    char *log;

    put_away(make("_f1.er", getpid(), -1));
    log = text_of("_f1.er/log.xml");
    cr_assert_not_null(strstr(log, "<described in=\"../log.xml\"/>"));
    cr_assert_null(strstr(log, "<file "));
    free(log);
}

Test(member, a_fork_begins_with_its_parents_map)
{
    static const char whole[] = "<map>\n<object id=\"1\"/>\n</map>\n";
    char path[128], *map;
    int fd;

    snprintf(path, sizeof(path), "%s/parent", scratch);
    fd = open(path, O_RDWR | O_CREAT, 0600);
    cr_assert_eq(write(fd, whole, sizeof(whole) - 1), (ssize_t)sizeof(whole) - 1);
    asked.how = HOW_FORK;
    put_away(make("_f1.er", getpid(), fd));
    map = text_of("_f1.er/map.xml");
    cr_assert_str_eq(map, whole, "ended once");
    free(map);
}

Test(member, only_what_was_used_remains)
{
    struct member *m = make("_f1_x1.er", getpid(), -1);
    struct ctl *ctl = m->s.experiment.ctl;
    char *log;

    cr_assert_lt(ctl->file[FILE_profile].reserved, ER_SEGMENT, "a small beginning");
    cr_assert_eq(ctl->file[FILE_heaptrace].reserved, 0, "which is not traced");
    ctl->file[FILE_profile].next = 4096;
    ctl->file[FILE_threads].next = 512;
    ctl->flags |= CTL_DETACHED;
    member_finish(m, "by itself", NULL, NULL);
    put_away(m);
    cr_assert_leq(size_of("_f1_x1.er/profile"), 4096 + 4096, "and less than a page");
    cr_assert_leq(size_of("_f1_x1.er/threads"), 4096);
    log = text_of("_f1_x1.er/log.xml");
    cr_assert_not_null(strstr(log, " unused=\"overview frameinfo\""), "%s", log);
    free(log);
    pool_end();
    cr_assert_lt(faccessat(founder.experiment.dir, "_f1_x1.er/.control", F_OK, 0), 0);
    cr_assert_lt(faccessat(founder.experiment.dir, "_f1_x1.er/overview", F_OK, 0), 0);
}

Test(member, the_account_is_that_of_the_last_program)
{
    const siginfo_t ended = { .si_code = CLD_EXITED, .si_status = 3 };
    const struct process_use account = { .user = 700, .system = 300, .total = 1000 };
    struct member *m;
    char *log;

    asked.how = HOW_EXEC;
    asked.base_user = 200;
    asked.base_system = 150;
    m = make("_x1.er", getpid(), -1);
    member_finish(m, "exit status 3", &ended, &account);
    cr_assert(m->s.experiment.ctl->flags & CTL_ENDED);
    put_away(m);
    log = text_of("_x1.er/log.xml");
    cr_assert_not_null(strstr(log, "status=\"3\" user=\"500\" system=\"150\""), "%s",
                       log);
    cr_assert_not_null(strstr(log, "total=\"650\""));
    cr_assert_not_null(strstr(log, "</experiment>\n"));
    free(log);
}

Test(member, ends_are_seen)
{
    int gate[2];
    struct member *m;
    pid_t pid;

    cr_assert_eq(pipe(gate), 0);
    pid = fork();
    if (pid == 0) {
        char byte;

        close(gate[1]);
        _exit(read(gate[0], &byte, 1) != 0);
    }
    close(gate[0]);
    m = make("_f1.er", pid, -1);
    cr_assert_eq(member_has_ended(m, 0), 0);
    close(gate[1]);
    cr_assert_eq(member_has_ended(m, 60000), 1, "a zombie is enough");
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
    put_away(m);
}

Test(member, nothing_is_left_of_one_that_is_not_there)
{
    struct member *m = NULL;
    pid_t pid = fork();

    if (pid == 0)
        _exit(0);
    cr_assert_eq(waitpid(pid, NULL, 0), pid);
    cr_assert_eq(member_make(&m, &founder, &founder, "_f1.er", pid, &asked, -1),
                 -ESRCH);
    cr_assert_null(m);
    cr_assert_lt(faccessat(founder.experiment.dir, "_f1.er", F_OK, 0), 0);
}

Test(member, a_place_that_is_taken)
{
    struct member *m = NULL;

    cr_assert_eq(mkdirat(founder.experiment.dir, "_f1.er", 0700), 0);
    cr_assert_eq(member_make(&m, &founder, &founder, "_f1.er", getpid(), &asked, -1),
                 -EEXIST);
    cr_assert_null(m);
}
