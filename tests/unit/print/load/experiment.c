/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/experiment.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "tests/gen/scene.h"

static char *dir;

static void
setup(void)
{
    dir = scene_dir();
}

static void
teardown(void)
{
    scene_remove(dir);
}

TestSuite(experiment, .init = setup, .fini = teardown);

static struct experiment *
open_it(const char *name)
{
    char *path = scene_path(dir, name), *why;
    struct experiment *e;

    cr_assert_eq(experiment_open(&e, path, &why), 0);
    free(path);
    return e;
}

/* Replace a file of an experiment. */
static void
put(const char *name, const char *file, const char *text)
{
    char path[500];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s/%s", dir, name, file);
    unlink(path);
    f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

static bool
told(const struct experiment *e, const char *what)
{
    for (u32 i = 0; i < e->problems.count; i++)
        if (strstr(e->problems.text[i], what))
            return true;
    return false;
}

Test(experiment, complete)
{
    struct experiment *e;

    scene_write(dir, "a.er", 3);
    e = open_it("a.er");
    cr_assert_eq(e->state, EXPERIMENT_COMPLETE);
    cr_assert_eq(e->problems.count, 0);
    cr_assert_eq(e->start_mono, GEN_START);
    cr_assert_eq(e->start_wall, 1700000000000000000u);
    cr_assert_eq(e->end_mono, GEN_START + 20 * MS);
    cr_assert(e->has_account && e->final);
    cr_assert_eq(e->user, 47 * MS + MS / 2);
    cr_assert_eq(e->system, 3 * MS);
    cr_assert_eq(e->exit_user, MS / 2);
    cr_assert_eq(e->exit_system, 0);
    cr_assert_eq(e->map.count, 3);
    cr_assert_eq(e->threads.count, 2);
    cr_assert_str_eq(threads_find(&e->threads, 2)->name, "helper");
    cr_assert_null(threads_find(&e->threads, 3));
    cr_assert_str_eq(e->notes, "");
    experiment_close(e);
}

Test(experiment, clock_converts_ticks)
{
    struct experiment *e;

    scene_write(dir, "a.er", 3);
    e = open_it("a.er");
    cr_assert_eq(experiment_clock(e), 0);
    cr_assert_eq(clock_mono(&e->clock, 3 * (u64)(GEN_START + 7 * MS)),
                 GEN_START + 7 * MS);
    experiment_close(e);
}

Test(experiment, samples)
{
    struct experiment *e;

    scene_write(dir, "a.er", 1);
    e = open_it("a.er");
    cr_assert_eq(experiment_samples(e), 0);
    cr_assert_eq(e->samples.count, 3);
    cr_assert_eq(e->samples.row[1].mono, GEN_START + 9 * MS / 2);
    cr_assert_str_eq(e->samples.row[1].label, "half way");
    cr_assert_eq(e->samples.row[1].cause, CAUSE_SIGNAL);
    cr_assert_eq(e->samples.row[1].thread, 1);
    cr_assert_eq(e->samples.row[2].known, 1 << SAMPLE_user | 1 << SAMPLE_rss);
    cr_assert_eq(e->samples.row[2].value[SAMPLE_rss], 3 * 4096);
    cr_assert_str_eq(sample_cause_name(CAUSE_SIGNAL), "signal");
    cr_assert_str_eq(sample_cause_name(999), "?");
    experiment_close(e);
}

/* A log of a process that has not ended. */
static void
unended(const char *name, const char *host, int pid, u64 mono)
{
    char text[1000];

    snprintf(text, sizeof(text),
             "<?xml version=\"1.0\"?>\n<experiment version=\"1\">\n"
             "<host name=\"%s\"/>\n<event kind=\"run\" id=\"run\" time=\"%llu\" "
             "mono=\"%llu\" pid=\"%d\"/>\n",
             host, (unsigned long long)mono, (unsigned long long)mono, pid);
    put(name, "log.xml", text);
}

Test(experiment, live_and_killed)
{
    struct utsname here;
    struct timespec now;
    struct experiment *e;
    u64 mono;

    uname(&here);
    clock_gettime(CLOCK_MONOTONIC, &now);
    mono = (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec;
    scene_write(dir, "a.er", 1);
    unended("a.er", here.nodename, getpid(), mono);
    e = open_it("a.er");
    cr_assert_eq(e->state, EXPERIMENT_LIVE);
    cr_assert(told(e, "describes no data files"));
    cr_assert_eq(e->threads.count, 2);
    experiment_close(e);

    unended("a.er", "elsewhere", getpid(), mono);
    e = open_it("a.er");
    cr_assert_eq(e->state, EXPERIMENT_KILLED);
    experiment_close(e);

    /* The same number, but a process that began long after the run. */
    unended("a.er", here.nodename, getpid(), 1);
    e = open_it("a.er");
    cr_assert_eq(e->state, EXPERIMENT_KILLED);
    experiment_close(e);

    unended("a.er", here.nodename, 4194304, mono);
    e = open_it("a.er");
    cr_assert_eq(e->state, EXPERIMENT_KILLED);
    experiment_close(e);
}

Test(experiment, account_of_one_without_an_end)
{
    struct experiment *e;

    scene_write(dir, "a.er", 1);
    unended("a.er", "elsewhere", 1, GEN_START);
    e = open_it("a.er");
    cr_assert(e->has_account == false || !e->final);
    cr_assert_eq(e->end_mono, GEN_START + 20 * MS);
    experiment_close(e);
}

Test(experiment, exec_ends_the_account)
{
    struct experiment *e;

    scene_write(dir, "a.er", 1);
    put("a.er", "log.xml",
        "<?xml version=\"1.0\"?>\n<experiment version=\"1\">\n"
        "<event kind=\"run\" id=\"run\" time=\"5\" pid=\"1\"/>\n"
        "<event kind=\"exit\" id=\"exit\" time=\"6\" arg1=\"exec\" user=\"10\""
        " system=\"20\"/>\n"
        "<event kind=\"end\" id=\"end\" time=\"9\" user=\"1000\" system=\"2000\"/>\n"
        "</experiment>\n");
    e = open_it("a.er");
    cr_assert_eq(e->user, 10);
    cr_assert_eq(e->system, 20);
    cr_assert_eq(e->exit_user, 0);
    experiment_close(e);
}

Test(experiment, founders_have_the_archives_of_their_subs)
{
    struct experiment *e;
    int at;

    scene_write(dir, "a.er", 1);
    scene_write(dir, "a.er/_f1.er", 1);
    scene_write(dir, "_lone.er", 1);
    e = open_it("a.er");
    cr_assert(e->is_founder);
    experiment_close(e);
    e = open_it("a.er/_f1.er");
    cr_assert_not(e->is_founder);
    at = founder_open(e->founder);
    cr_assert_eq(faccessat(at, "_f1.er/log.xml", F_OK, 0), 0);
    close(at);
    experiment_close(e);
    e = open_it("_lone.er");
    cr_assert(e->is_founder);
    experiment_close(e);
}

/* Many ranks, or a group: each is a founder, and a process may have few descriptors. */
Test(experiment, many_founders_take_few_descriptors)
{
    enum { COUNT = 150, FILES = 100 };
    struct rlimit few = { FILES, FILES };
    struct experiment *e[COUNT];
    char name[32];

    for (u32 i = 0; i < COUNT; i++) {
        snprintf(name, sizeof(name), "a%u.er", i);
        scene_write(dir, name, 1);
    }
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    for (u32 i = 0; i < COUNT; i++) {
        snprintf(name, sizeof(name), "a%u.er", i);
        e[i] = open_it(name);
    }
    for (u32 i = 0; i < COUNT; i++) {
        int at = founder_open(e[i]->founder);

        cr_assert_geq(at, 0);
        cr_assert_eq(faccessat(at, "log.xml", F_OK, 0), 0);
        close(at);
        for (u32 k = 0; k < i; k++)
            cr_assert_neq(e[i]->founder, e[k]->founder);
    }
    for (u32 i = 0; i < COUNT; i++)
        experiment_close(e[i]);
}

Test(experiment, what_is_missing_is_told)
{
    const char *files[] = { "map.xml", "profile", "frameinfo", "threads", "overview" };
    struct experiment *e;

    for (u32 i = 0; i < ER_COUNT(files); i++) {
        char name[32], path[500];

        snprintf(name, sizeof(name), "a%u.er", i);
        scene_write(dir, name, 1);
        snprintf(path, sizeof(path), "%s/%s/%s", dir, name, files[i]);
        unlink(path);
        e = open_it(name);
        cr_assert(told(e, files[i]), "%s", files[i]);
        experiment_close(e);
    }
}

/* The log of dir/name, changed by an edit of sed(1). */
static void
edit_log(const char *name, const char *edit)
{
    char command[1000];

    snprintf(command, sizeof(command), "sed -i -E '%s' '%s/%s/log.xml'", edit, dir,
             name);
    cr_assert_eq(system(command), 0);
}

Test(experiment, what_was_unused_is_not_missed)
{
    char path[500];
    struct experiment *e;

    scene_write(dir, "a.er", 1);
    snprintf(path, sizeof(path), "%s/a.er/overview", dir);
    unlink(path);
    edit_log("a.er", "s/id=\"end\"/& unused=\"frameinfo overview\"/");
    e = open_it("a.er");
    cr_assert_eq(e->problems.count, 0);
    experiment_close(e);
    edit_log("a.er", "s/ overview\"/ overviews\"/");
    e = open_it("a.er");
    cr_assert(told(e, "overview cannot be read"));
    experiment_close(e);
}

Test(experiment, descendants_are_described_by_their_founder)
{
    const char described[] = "s|<file .*|<described in=\"../log.xml\"/>|;"
                             "/<.?(file|record|field)/d";
    struct experiment *e, *other;

    scene_write(dir, "a.er", 1);
    scene_write(dir, "a.er/_f1.er", 1);
    scene_write(dir, "a.er/_f2.er", 1);
    edit_log("a.er/_f1.er", described);
    edit_log("a.er/_f2.er", described);
    e = open_it("a.er/_f1.er");
    other = open_it("a.er/_f2.er");
    cr_assert_eq(e->problems.count, 0);
    cr_assert_eq(e->schema, other->schema, "once for all");
    cr_assert_not_null(schema_find_file(e->schema, "profile"));
    cr_assert_gt(e->threads.count, 0);
    experiment_close(e);
    experiment_close(other);

    edit_log("a.er", "s/collector version=\"/&9./");
    e = open_it("a.er/_f1.er");
    cr_assert(told(e, "describes no data files"), "of another version");
    experiment_close(e);
    scene_write(dir, "b.er", 1);
    edit_log("b.er", described);
    e = open_it("b.er");
    cr_assert(told(e, "describes no data files"), "without a founder");
    cr_assert_gt(e->threads.count, 0);
    experiment_close(e);
}

Test(experiment, links_and_devices_are_not_followed)
{
    char path[500];
    struct experiment *e;

    scene_write(dir, "a.er", 1);
    snprintf(path, sizeof(path), "%s/a.er/profile", dir);
    unlink(path);
    cr_assert_eq(symlink("/etc/passwd", path), 0);
    snprintf(path, sizeof(path), "%s/a.er/overview", dir);
    unlink(path);
    cr_assert_eq(mkfifo(path, 0600), 0);
    e = open_it("a.er");
    cr_assert(told(e, "profile cannot be read"));
    cr_assert(told(e, "overview cannot be read"));
    experiment_close(e);
}

Test(experiment, refusals_say_why)
{
    char *path = scene_path(dir, "none.er"), *why;
    struct experiment *e;

    cr_assert_eq(experiment_open(&e, path, &why), -ENOENT);
    cr_assert_not_null(strstr(why, "none.er"));
    free(why);
    mkdir(path, 0700);
    cr_assert_eq(experiment_open(&e, path, &why), -ENOENT);
    cr_assert_not_null(strstr(why, "no log.xml"));
    free(why);
    put("none.er", "log.xml", "nonsense\n");
    cr_assert_eq(experiment_open(&e, path, &why), -EBADMSG);
    cr_assert_not_null(strstr(why, "none.er/log.xml"));
    free(why);
    free(path);
}

Test(experiment, no_mutated_file_does_harm)
{
    const char *files[] = { "log.xml", "map.xml", "frameinfo", "threads", "overview" };
    u32 random = 99;

    scene_write(dir, "a.er", 1);
    for (u32 run = 0; run < 1500; run++) {
        char path[500], *name, *why;
        struct experiment *e;
        unsigned char old;
        off_t at;
        int fd;

        snprintf(path, sizeof(path), "%s/a.er/%s", dir, files[run % 5]);
        fd = open(path, O_RDWR);
        random = random * 1664525 + 1013904223;
        at = (random >> 8) % (u32)lseek(fd, 0, SEEK_END);
        cr_assert_eq(pread(fd, &old, 1, at), 1);
        cr_assert_eq(pwrite(fd, &(char){ (char)(random >> 4) }, 1, at), 1);
        name = scene_path(dir, "a.er");
        if (experiment_open(&e, name, &why) == 0) {
            experiment_samples(e);
            experiment_clock(e);
            experiment_close(e);
        } else {
            free(why);
        }
        free(name);
        cr_assert_eq(pwrite(fd, &old, 1, at), 1);
        close(fd);
    }
}
