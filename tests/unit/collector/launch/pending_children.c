/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/pending_children.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/pending.XXXXXX";

static pid_t
sleeper(void)
{
    pid_t pid = fork();

    while (pid == 0)
        pause();
    return pid;
}

static void
end(pid_t pid)
{
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

/* A founder that has ended, and a page in the directory that this process maps. */
static void
begin(struct recording *s, void **page)
{
    int fd;

    cr_assert(mkdtemp(dir) != NULL);
    s->experiment.dir = open(dir, O_RDONLY | O_DIRECTORY);
    s->pid = sleeper();
    kill(s->pid, SIGKILL);
    fd = openat(s->experiment.dir, EXPERIMENT_CONTROL, O_RDWR | O_CREAT, 0600);
    cr_assert_eq(ftruncate(fd, 4096), 0);
    *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    cr_assert_neq(*page, MAP_FAILED);
    close(fd);
}

static void
finish(struct recording *s)
{
    unlinkat(s->experiment.dir, EXPERIMENT_CONTROL, 0);
    rmdir(dir);
    end(s->pid);
}

Test(pending_children, who_has_the_page_may_ask)
{
    static struct recording s;
    void *page;
    pid_t child;

    begin(&s, &page);
    child = sleeper();
    munmap(page, 4096);
    cr_expect_eq(pending_children_live(&s), 1);
    end(child);
    cr_expect_eq(pending_children_live(&s), 0);
    finish(&s);
}

Test(pending_children, others_do_not)
{
    static struct recording s;
    void *page;
    pid_t child;

    begin(&s, &page);
    munmap(page, 4096);
    child = sleeper();
    cr_expect_eq(pending_children_live(&s), 0);
    end(child);
    finish(&s);
}

/* Where the founder's process is not to be seen, nothing is known. */
Test(pending_children, without_a_founder)
{
    static struct recording s;
    void *page;
    pid_t founder;

    begin(&s, &page);
    founder = s.pid;
    s.pid = 0;
    cr_expect_eq(pending_children_live(&s), 1);
    s.pid = founder;
    finish(&s);
}
