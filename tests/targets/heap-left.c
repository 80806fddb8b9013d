/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Leaves blocks of known classes when it ends. What it leaves is allocated in functions
 * whose names begin with keep_; the truth is printed, a line for each class:
 * "lost BLOCKS BYTES", "under ..." (indirectly lost), "possibly ...", "reachable ...".
 *
 *   heap-left CASE [WAY]    WAY: return (the default), exit, _exit, quick_exit, kill,
 *                           abort, exec, thread (exit in another thread than the first)
 */
/* build: -O0 -g -fno-builtin */
/* build: out=heap-left-plugin.so -O1 -g -shared -fPIC -DPLUGIN */
/* link: -lpthread -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef PLUGIN

void *plugin_holds;

#else

struct node {
    struct node *a, *b;
    char rest[32];
};

enum { NODE = sizeof(struct node) };

static struct node *global;
static char *interior;
static __thread struct node *own;
static pthread_barrier_t ready;

static void
say(const char *text)
{
    (void)!write(1, text, strlen(text));
}

static __attribute__((noinline)) struct node *
keep_node(struct node *a, struct node *b)
{
    struct node *n = calloc(1, NODE);

    n->a = a;
    n->b = b;
    return n;
}

static __attribute__((noinline)) struct node *
make_tree(int depth)
{
    return depth ? keep_node(make_tree(depth - 1), make_tree(depth - 1)) : NULL;
}

static __attribute__((noinline)) struct node *
make_list(int length)
{
    struct node *list = NULL;

    while (length--)
        list = keep_node(list, NULL);
    return list;
}

/* Nothing of what a function before left on the stack shall be taken for a pointer. */
static __attribute__((noinline)) void
clean(void)
{
    volatile char rest[16384];

    for (size_t i = 0; i < sizeof(rest); i++)
        rest[i] = 0;
}

static __attribute__((noinline)) void
case_list(void)
{
    make_list(10);
    say("lost 1 48\nunder 9 432\n");
}

static __attribute__((noinline)) void
case_tree(void)
{
    make_tree(5);
    say("lost 1 48\nunder 30 1440\n");
}

/* Two that point to each other, and to a list. */
static __attribute__((noinline)) void
case_cycle(void)
{
    struct node *one = keep_node(NULL, NULL), *two = keep_node(one, make_list(3));

    one->a = two;
    say("lost 1 48\nunder 4 192\n");
}

static __attribute__((noinline)) void
case_interior(void)
{
    struct node *list = make_list(3);

    interior = list->rest + 8;
    say("possibly 3 144\n");
}

static __attribute__((noinline)) void
case_global(void)
{
    global = make_tree(4);
    say("reachable 15 720\n");
}

/* From a block that can be reached into the middle of one. */
static __attribute__((noinline)) void
case_through(void)
{
    struct node *list = make_list(2);

    global = keep_node((struct node *)(void *)list->rest, NULL);
    say("reachable 1 48\npossibly 2 96\n");
}

static __attribute__((noinline)) void
case_tls(void)
{
    own = make_list(4);
    say("reachable 4 192\n");
}

/* As new[] of objects with destructors does: a count, then the objects. */
static __attribute__((noinline)) void
case_array(void)
{
    struct node *n = keep_node(NULL, NULL);

    *(size_t *)(void *)n = 5;
    interior = (char *)n + 8;
    say("reachable 1 48\n");
}

static void
free_at_exit(void)
{
    while (global) {
        struct node *next = global->a;

        free(global);
        global = next;
    }
}

static __attribute__((noinline)) void
case_freed(void)
{
    global = make_list(5);
    atexit(free_at_exit);
}

static __attribute__((noinline)) void
case_mapped(void)
{
    struct node **page = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    page[7] = make_list(2);
    say("reachable 2 96\n");
}

static void
loaded(const char *self)
{
    char path[4096];
    void *plugin, **holds;

    snprintf(path, sizeof(path), "%s-plugin.so", self);
    plugin = dlopen(path, RTLD_NOW);
    holds = plugin ? dlsym(plugin, "plugin_holds") : NULL;
    if (!holds)
        exit(3);
    *holds = make_list(6);
    say("reachable 6 288\n");
}

/* Still there at the end, with a block that only its stack or its TLS leads to. */
static void *
stay(void *where)
{
    struct node *volatile mine = where ? NULL : make_list(2);

    if (where)
        own = make_list(2);
    pthread_barrier_wait(&ready);
    for (;;)
        pause();
    return mine;
}

static __attribute__((noinline)) void
case_threads(void)
{
    pthread_t stack, tls;

    pthread_barrier_init(&ready, NULL, 3);
    pthread_create(&stack, NULL, stay, NULL);
    pthread_create(&tls, NULL, stay, &ready);
    pthread_barrier_wait(&ready);
    say("reachable 4 192\n");
}

/* It loses its blocks with its end; its stack is kept by the C library. */
static void *
lose(void *none)
{
    struct node *volatile mine = make_list(3);

    own = make_list(1);
    return mine ? none : NULL;
}

static __attribute__((noinline)) void
case_joined(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, lose, NULL);
    pthread_join(thread, NULL);
    say("lost 2 96\nunder 2 96\n");
}

/* In the child only its own blocks are told of; said is what both leave. */
static __attribute__((noinline)) void
case_forked(void)
{
    pid_t child;

    global = make_list(2);
    child = fork();
    if (child == 0) {
        global->b = make_list(3);
        make_list(2);
        clean();
        exit(0);
    }
    waitpid(child, NULL, 0);
    say("lost 1 48\nunder 1 48\nreachable 5 240\n");
}

/* A child that executes a program, perhaps with blocks of its own. */
static void
run_child(int holding)
{
    pid_t child = fork();

    if (child == 0) {
        if (holding)
            make_list(7);
        execl("/bin/true", "true", NULL);
        _exit(1);
    }
    waitpid(child, NULL, 0);
    make_list(3);
    clean();
    say("lost 1 48\nunder 2 96\n");
}

static void
case_runs(void)
{
    run_child(0);
}

static void
case_execs(void)
{
    run_child(1);
}

static const struct {
    const char *name;
    void (*function)(void);
} cases[] = {
    { "list", case_list },       { "tree", case_tree },     { "cycle", case_cycle },
    { "interior", case_interior }, { "global", case_global },
    { "through", case_through }, { "tls", case_tls },       { "array", case_array },
    { "freed", case_freed },     { "mapped", case_mapped }, { "threads", case_threads },
    { "joined", case_joined },   { "forked", case_forked },
    { "runs", case_runs },       { "execs", case_execs },
};

static void *
end_all(void *none)
{
    exit(none ? 1 : 0);
}

static int
end(const char *way)
{
    pthread_t thread;

    if (!strcmp(way, "exit"))
        exit(0);
    if (!strcmp(way, "_exit"))
        _exit(0);
    if (!strcmp(way, "quick_exit"))
        quick_exit(0);
    if (!strcmp(way, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(way, "abort"))
        abort();
    if (!strcmp(way, "exec"))
        execl("/bin/true", "true", NULL);
    if (!strcmp(way, "thread") && pthread_create(&thread, NULL, end_all, NULL) == 0)
        for (;;)
            pause();
    return 0;
}

int
main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
        if (!strcmp(argv[1], cases[i].name))
            cases[i].function();
    if (argc > 1 && !strcmp(argv[1], "loaded"))
        loaded(argv[0]);
    clean();
    return end(argc > 2 ? argv[2] : "return");
}

#endif
