/* SPDX-License-Identifier: Apache-2.0 */
/* What is handed down, and how a descendant asks; this file is also the launcher. */
#include "collector/preload/descend.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collector/preload/expt.h"
#include "collector/sig/space.h"

#define LIBRARY "/opt/lib/libcollector.so:/opt/lib/libheap.so"

static char scratch[64], params_text[128], founder_text[128], expname_text[160];
static char *handed[] = { params_text, (char[]){ "SP_COLLECTOR_PRELOAD=" LIBRARY },
                          expname_text, founder_text, NULL };
static struct er_params params;
static int top;

static void
start(void)
{
    strcpy(scratch, "/tmp/ertools-descend.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    top = open(scratch, O_RDONLY | O_DIRECTORY);
    snprintf(params_text, sizeof(params_text),
             "SP_COLLECTOR_PARAMS=clock_ns=1000;follow=1;creator=%d;base_user=7;"
             "base_system=5;launcher=%d;",
             getpid(), getpid());
    snprintf(expname_text, sizeof(expname_text), "SP_COLLECTOR_EXPNAME=%s/_f3.er",
             scratch);
    snprintf(founder_text, sizeof(founder_text), "SP_COLLECTOR_FOUNDER=%s", scratch);
}

static void
stop(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(descend, .init = start, .fini = stop);

static const char *
value_of(char *const *env, const char *name)
{
    size_t len = strlen(name);

    for (; *env; env++)
        if (!strncmp(*env, name, len) && (*env)[len] == '=')
            return *env + len + 1;
    return NULL;
}

Test(descend, what_was_not_meant)
{
    char *empty[] = { NULL };
    char *bad[] = { (char[]){ "SP_COLLECTOR_PARAMS=nonsense" }, expname_text, NULL };
    char *nameless[] = { params_text, NULL };

    cr_assert_eq(descend_start(empty, &params), -EINVAL);
    cr_assert_eq(descend_start(bad, &params), -EINVAL);
    cr_assert_eq(descend_start(nameless, &params), -EINVAL);
    cr_assert_not(descend_is_wanted());
}

Test(descend, a_path_that_is_too_long)
{
    char *name = malloc(6000);
    char *env[] = { params_text, name, NULL };

    memset(name, 'x', 5999);
    name[5999] = '\0';
    memcpy(name, "SP_COLLECTOR_EXPNAME=/", 22);
    cr_assert_eq(descend_start(env, &params), -EINVAL);
    free(name);
}

Test(descend, the_creators_time_is_that_of_its_own_process)
{
    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert(descend_became());
    cr_assert_eq(params.base_user, 7);
    snprintf(params_text, sizeof(params_text),
             "SP_COLLECTOR_PARAMS=follow=1;creator=%d;base_user=7;", getpid() + 1);
    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert_not(descend_became());
    cr_assert_eq(params.base_user, 0);
}

Test(descend, an_environment_has_it_all)
{
    char own[] = "LD_PRELOAD=/usr/lib/own.so", other[] = "A=1";
    char *plain[] = { own, other, NULL };
    char *const *env;
    size_t bytes;
    void *room;

    cr_assert_eq(descend_start(handed, &params), 0);
    descend_leave(70, 50);
    bytes = descend_bytes(plain);
    room = malloc(bytes);
    env = descend_environ(room, bytes, plain);
    cr_assert_str_eq(value_of(env, "LD_PRELOAD"), LIBRARY ":/usr/lib/own.so");
    cr_assert_str_eq(value_of(env, "SP_COLLECTOR_PRELOAD"), LIBRARY);
    cr_assert_str_eq(value_of(env, "SP_COLLECTOR_FOUNDER"), scratch);
    cr_assert_str_eq(value_of(env, "A"), "1");
    cr_assert_str_eq(value_of(env, "ASAN_OPTIONS"), ER_ASAN_TAIL);
    cr_assert_eq(params_parse(value_of(env, ER_ENV_PARAMS), &params), 0);
    cr_assert_eq(params.base_user, 70);
    cr_assert_eq(params.base_system, 50);
    free(room);
}

Test(descend, an_environment_from_nothing)
{
    size_t bytes;
    char *const *env;
    void *room;

    cr_assert_eq(descend_start(handed, &params), 0);
    bytes = descend_bytes(NULL);
    room = malloc(bytes);
    env = descend_environ(room, bytes, NULL);
    cr_assert_str_eq(value_of(env, "LD_PRELOAD"), LIBRARY);
    free(room);
}

Test(descend, an_environment_that_has_grown)
{
    char *few[] = { (char[]){ "A=1" }, NULL };
    char *many[200] = { NULL };
    size_t bytes;
    void *room;

    for (int i = 0; i < 199; i++)
        many[i] = few[0];
    cr_assert_eq(descend_start(handed, &params), 0);
    bytes = descend_bytes(few);
    room = malloc(bytes);
    cr_assert_eq(descend_environ(room, bytes, many), many);
    free(room);
}

Test(descend, nothing_more_after_a_stop)
{
    char *plain[] = { (char[]){ "A=1" }, NULL };

    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert(descend_is_wanted());
    descend_stop();
    cr_assert_not(descend_is_wanted());
    cr_assert_eq(descend_environ(NULL, descend_bytes(plain), plain), plain);
}

Test(descend, without_being_followed)
{
    snprintf(params_text, sizeof(params_text), "SP_COLLECTOR_PARAMS=clock_ns=1000;");
    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert_not(descend_is_wanted());
}

/* The launcher's page, with a launcher behind it or not. */
static struct ctl *
make_bell(u32 waiting)
{
    static struct ctl page;
    int fd = openat(top, ".control", O_RDWR | O_CREAT | O_TRUNC, 0600);

    memset(&page, 0, sizeof(page));
    page.magic = ER_CTL_MAGIC;
    page.version = ER_CTL_VERSION;
    page.waiting = waiting;
    cr_assert_eq(pwrite(fd, &page, sizeof(page), 0), (ssize_t)sizeof(page));
    close(fd);
    return &page;
}

struct answer {
    const char *name; /* NULL = refuse */
    struct ctl_request asked;
};

/* Answers the first request of this process. */
static void *
answer(void *arg)
{
    struct answer *a = arg;
    u32 asked = (u32)getpid() << REQUEST_BITS | REQUEST_ASKED, state;
    struct ctl *bell;

    while (!(bell = __atomic_load_n(&space_wake_page, __ATOMIC_ACQUIRE)))
        usleep(1000);
    for (int i = 0;; i = (i + 1) % ER_REQUESTS) {
        struct ctl_request *r = &bell->request[i];

        if (__atomic_load_n(&r->state, __ATOMIC_ACQUIRE) != asked) {
            usleep(100);
            continue;
        }
        a->asked = *r;
        state = asked & ~(u32)REQUEST_STATE;
        if (a->name)
            strcpy(r->name, a->name);
        __atomic_store_n(&r->state,
                         state | (a->name ? REQUEST_GRANTED : REQUEST_REFUSED),
                         __ATOMIC_RELEASE);
        return NULL;
    }
}

static int
join_with(struct answer *a, const char **path)
{
    pthread_t launcher;
    int ret;

    make_bell(1);
    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert_eq(pthread_create(&launcher, NULL, answer, a), 0);
    ret = descend_join(path);
    pthread_join(launcher, NULL);
    return ret;
}

Test(descend, it_asks_and_is_told)
{
    struct answer a = { .name = "_f3_x1.er" };
    const char *path = NULL;
    char wanted[128];

    cr_assert_eq(join_with(&a, &path), 0);
    snprintf(wanted, sizeof(wanted), "%s/_f3_x1.er", scratch);
    cr_assert_str_eq(path, wanted);
    cr_assert_eq(a.asked.how, HOW_EXEC);
    cr_assert_str_eq(a.asked.creator, "_f3.er");
    cr_assert_eq(a.asked.ppid, (u32)getppid());
    cr_assert_eq(a.asked.base_user, 7);
    cr_assert_eq(space_wake_page->request[0].state, REQUEST_FREE);
}

Test(descend, it_may_be_refused)
{
    struct answer a = { .name = NULL };
    const char *path = NULL;

    cr_assert_eq(join_with(&a, &path), -EPERM);
    cr_assert_null(path);
    cr_assert_eq(space_wake_page->request[0].state, REQUEST_FREE);
}

/* Nobody would answer. */
Test(descend, a_child_that_is_to_be_a_rank_does_not_ask)
{
    const char *path = NULL;
    u32 want;

    make_bell(1);
    strcat(params_text, "ranks=2;");
    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert_eq(expt_map_page(openat(top, ".control", O_RDWR), &space_wake_page), 0);
    want = space_wake_page->want;
    cr_assert_eq(descend_join_child(HOW_FORK, &path), -EPERM);
    cr_assert_null(path);
    cr_assert_eq(space_wake_page->want, want);
    cr_assert(descend_is_wanted());
}

Test(descend, without_a_launcher_nobody_waits)
{
    const char *path = NULL;

    make_bell(0);
    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert_eq(descend_join(&path), -EAGAIN);
    cr_assert_null(path);
}

Test(descend, a_page_of_another_version)
{
    const char *path = NULL;
    struct ctl *page = make_bell(1);
    int fd = openat(top, ".control", O_RDWR);

    page->version++;
    cr_assert_eq(pwrite(fd, page, sizeof(*page), 0), (ssize_t)sizeof(*page));
    close(fd);
    cr_assert_eq(descend_start(handed, &params), 0);
    cr_assert_eq(descend_join(&path), -EPROTO);
    cr_assert_null(space_wake_page);
}
