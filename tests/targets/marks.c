/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 -g */
/* link: -ldl -lpthread */
/*
 * What programs with marks for ITT and NVTX do: look for a library by a variable of the
 * environment, have it fill a table of pointers, and call through these. Two tables of
 * ITT, as two objects would have them, one of them older and with a function that
 * nobody knows. Prints how many of each there were, as regions.c does.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct domain {
    int flags;
    const char *name;
    void *wide;
    int extra1;
    void *extra2;
    struct domain *next;
};

struct string {
    const char *text;
    void *wide;
    int extra1;
    void *extra2;
    struct string *next;
};

struct id {
    unsigned long long d[3];
};

struct entry {
    const char *name;
    void **pointer;
    void *init, *none;
    int group;
};

struct global {
    unsigned char magic[8];
    unsigned long version[3];
    long state[3];
    pthread_mutex_t mutex;
    void *lib, *error_handler;
    const char **path;
    struct entry *entry;
};

#define MAGIC { 0xed, 0xab, 0xab, 0xec, 0x0d, 0xee, 0xda, 0x30 }
#define ALL_GROUPS (-1)

/* Of the first object. */
static void (*task_begin)(const struct domain *, struct id, struct id, struct string *);
static void (*task_end)(const struct domain *);
static void (*overlapped_begin)(const struct domain *, struct id, struct id,
                                struct string *);
static void (*overlapped_end)(const struct domain *, struct id);
static void (*frame_begin)(const struct domain *, struct id *);
static void (*frame_end)(const struct domain *, struct id *);
static void (*frame_submit)(const struct domain *, struct id *, unsigned long long,
                            unsigned long long);
static unsigned long long (*get_timestamp)(void);
static void (*marker)(const struct domain *, struct id, struct string *, int);
static void (*metadata_text)(const struct domain *, struct id, struct string *,
                             const char *, size_t);
static void (*metadata_add)(const struct domain *, struct id, struct string *, int,
                            size_t, void *);
static void (*itt_pause)(void), (*itt_resume)(void);
static void (*thread_set_name)(const char *);
static struct domain *(*domain_create)(const char *);
static struct string *(*string_create)(const char *);
/* Of the second one. */
static void (*old_begin)(const struct domain *, struct id, struct id, struct string *);
static void (*old_end)(const struct domain *);
static int (*event_create)(const char *, int), (*event_start)(int), (*event_end)(int);
static void (*strange)(void);

static void
none_of_it(void)
{
    puts("none");
}

#define ENTRY(name, pointer, group) \
    { "__itt_" name, (void **)&(pointer), NULL, NULL, group }

static struct entry first[] = {
    ENTRY("task_begin", task_begin, 1 << 12),
    ENTRY("task_end", task_end, 1 << 12),
    ENTRY("task_begin_overlapped", overlapped_begin, 1 << 12),
    ENTRY("task_end_overlapped", overlapped_end, 1 << 12),
    ENTRY("frame_begin_v3", frame_begin, 1 << 12),
    ENTRY("frame_end_v3", frame_end, 1 << 12),
    ENTRY("frame_submit_v3", frame_submit, 1 << 12),
    ENTRY("get_timestamp", get_timestamp, 1 << 12),
    ENTRY("marker", marker, 1 << 12),
    ENTRY("metadata_str_add", metadata_text, 1 << 12),
    ENTRY("metadata_add", metadata_add, 1 << 12),
    ENTRY("pause", itt_pause, 1 << 1),
    ENTRY("resume", itt_resume, 1 << 1),
    ENTRY("thread_set_name", thread_set_name, 1 << 2),
    ENTRY("domain_create", domain_create, 1 << 12),
    ENTRY("string_handle_create", string_create, 1 << 12),
    { NULL, NULL, NULL, NULL, 0 },
};

static struct entry second[] = {
    ENTRY("task_begin", old_begin, 1 << 12),
    ENTRY("task_end", old_end, 1 << 12),
    ENTRY("event_create", event_create, 1 << 3),
    ENTRY("event_start", event_start, 1 << 3),
    ENTRY("event_end", event_end, 1 << 3),
    { "__itt_strange", (void **)&strange, NULL, (void *)none_of_it, 1 << 12 },
    { NULL, NULL, NULL, NULL, 0 },
};

static struct global globals[2] = {
    { .magic = MAGIC, .version = { 3, 26, 1 }, .entry = first },
    { .magic = MAGIC, .version = { 3, 0, 1 }, .entry = second },
};

static struct domain domain = { .flags = 1, .name = "frames" };
static struct id no_id;

static int
load_itt(void)
{
    const char *path = getenv("INTEL_LIBITTNOTIFY64");
    void *lib = path ? dlopen(path, RTLD_LAZY) : NULL;
    void (*init)(struct global *, int);

    if (!lib)
        return 0;
    *(void **)&init = dlsym(lib, "__itt_api_init");
    if (!init)
        return 0;
    for (int i = 0; i < 2; i++)
        init(&globals[i], ALL_GROUPS);
    return 1;
}

static void *
end_tasks(void *arg)
{
    (void)arg;
    thread_set_name("ender");
    for (unsigned i = 0; i < 3; i++)
        overlapped_end(&domain, (struct id){ { i, 1, 2 } });
    return NULL;
}

/* What a program is given; intervals of one number nest. */
static void
use_handles(void)
{
    struct domain *ours = domain_create("ours");
    char text[] = "given";
    struct string *given = string_create(text);
    struct id same = { { 7, 7, 7 } };

    text[0] = 'x';
    printf("same %d, another %d, switched on %d\n", string_create("given") == given,
           string_create("other") != given, domain_create("ours")->flags);
    task_begin(ours, no_id, no_id, given);
    task_end(ours);
    overlapped_begin(ours, same, no_id, NULL);
    overlapped_begin(ours, same, no_id, NULL);
    overlapped_end(ours, same);
    overlapped_end(ours, same);
    for (int i = 0; i < 5000; i++) {
        sprintf(text, "%d", i % 2500);
        if (strcmp(string_create(text)->text, text))
            puts("wrong");
    }
    puts("count given 1\ninterval ours 2 0");
}

/* As the macros of ittnotify.h call: not for a domain that is switched off. */
#define IF_ON(d, call) ((d)->flags ? (call) : (void)0)

static void
switch_domain(void)
{
    struct domain *d = domain_create("switched");
    struct string *task = string_create("when on");

    for (int i = 0; i < 30; i++) {
        d->flags = i % 3 == 0;
        IF_ON(d, task_begin(d, no_id, no_id, task));
        IF_ON(d, task_end(d));
    }
    puts("count when on 10");
}

/* Texts and numbers of the task that the thread is in, and of one that it is not in. */
static void
add_metadata(void)
{
    struct string *task = string_create("with data"), *key = string_create("file");
    struct id mine = { { 1, 0, 0 } }, other = { { 2, 0, 0 } };
    short numbers[] = { -3, 5 };

    for (int i = 0; i < 4; i++) {
        task_begin(&domain, mine, no_id, task);
        metadata_text(&domain, no_id, key, "a.txt and more", 5);
        metadata_text(&domain, mine, NULL, "alone", 5);
        metadata_text(&domain, other, key, "not of this task", 16);
        metadata_add(&domain, mine, key, 6, 2, numbers);
        metadata_add(&domain, other, key, 6, 2, numbers);
        task_end(&domain);
    }
    puts("count with data 4\ntext file: a.txt 4\ntext alone 4\n"
         "numbers with data 8 sum 8");
}

static void
run_itt(void)
{
    struct string outer = { .text = "outer" }, inner = { .text = "inner" };
    struct string across = { .text = "across" }, here = { .text = "here" };
    pthread_t t;
    int event;

    if (!load_itt()) {
        puts("no collector");
        return;
    }
    for (int i = 0; i < 10; i++) {
        task_begin(&domain, no_id, no_id, &outer);
        old_begin(&domain, no_id, no_id, &inner);
        old_end(&domain);
        task_end(&domain);
        marker(&domain, no_id, &here, 0);
    }
    for (unsigned i = 0; i < 3; i++)
        overlapped_begin(&domain, (struct id){ { i, 1, 2 } }, no_id, &across);
    pthread_create(&t, NULL, end_tasks, NULL);
    pthread_join(t, NULL);
    for (int i = 0; i < 5; i++) {
        frame_begin(&domain, NULL);
        frame_end(&domain, NULL);
    }
    for (int i = 0; i < 2; i++) {
        unsigned long long begin = get_timestamp();

        frame_submit(&domain, NULL, begin, get_timestamp());
    }
    event = event_create("event", 5);
    for (int i = 0; i < 4; i++) {
        event_start(event);
        event_end(event);
    }
    itt_pause();
    task_begin(&domain, no_id, no_id, &outer);
    task_end(&domain);
    itt_resume();
    use_handles();
    switch_domain();
    add_metadata();
    strange();
    puts("count outer 10\ncount outer/inner 10\ninterval across 3 3\n"
         "interval frames 7 0\ninterval event 4 0\nmark here 10");
}

/* NVTX: tables of its own, by number. */
static void *core[16], *domains[16];
static void **core_places[16], **domain_places[16];

static int
function_table(int module, void ****table, unsigned *count)
{
    if (module != 1 && module != 5)
        return 0;
    *table = module == 1 ? core_places : domain_places;
    *count = 16;
    return 1;
}

static const struct {
    size_t bytes;
    int (*table)(int, void ****, unsigned *);
} callbacks = { sizeof(callbacks), function_table };

static const void *
export_table(unsigned id)
{
    return id == 1 ? &callbacks : NULL;
}

struct nvtx_event {
    unsigned short version, size;
    unsigned category;
    int color_type;
    unsigned color;
    int payload_type, unused;
    long long payload;
    int message_type;
    const void *message;
};

#define CALL(table, number, type) ((type)(table)[number])

static int
load_nvtx(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *lib = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*init)(const void *(*)(unsigned));

    if (!lib)
        return 0;
    *(void **)&init = dlsym(lib, "InitializeInjectionNvtx2");
    for (int i = 0; i < 16; i++) {
        core_places[i] = &core[i];
        domain_places[i] = &domains[i];
    }
    return init && init(export_table);
}

static void
run_nvtx(void)
{
    struct nvtx_event event = { .version = 3, .size = sizeof(event), .payload_type = 2,
                                .payload = 42, .message_type = 3 };
    unsigned long long range;
    const void *space;
    int levels = 0;

    if (!load_nvtx()) {
        puts("no collector");
        return;
    }
    space = CALL(domains, 12, const void *(*)(const char *))("space");
    event.message = CALL(domains, 10, const void *(*)(const void *, const char *))(
        space, "registered");
    for (int i = 0; i < 10; i++) {
        levels += CALL(core, 9, int (*)(const char *))("pushed");
        levels += CALL(domains, 4, int (*)(const void *, struct nvtx_event *))(space,
                                                                               &event);
        levels += CALL(core, 10, int (*)(const wchar_t *))(L"w\u00efde");
        CALL(core, 11, int (*)(void))();
        CALL(domains, 5, int (*)(const void *))(space);
        CALL(core, 11, int (*)(void))();
        CALL(core, 2, void (*)(const char *))("here");
    }
    range = CALL(core, 5, unsigned long long (*)(const char *))("range");
    CALL(core, 7, void (*)(unsigned long long))(range);
    printf("levels %d\n", levels);
    puts("count pushed 10\ncount pushed/registered 10\n"
         "count pushed/registered/w\u00efde 10\ninterval range 1 0\nmark here 10");
}

int
main(int argc, char **argv)
{
    if (argc > 1 && !strcmp(argv[1], "nvtx"))
        run_nvtx();
    else
        run_itt();
    return 0;
}
