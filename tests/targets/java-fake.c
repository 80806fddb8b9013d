/* SPDX-License-Identifier: Apache-2.0 */
/* build: -rdynamic */
/* build: out=libjvm.so -DLIBRARY -shared -fPIC */
/* link: -ldl -lpthread */
/*
 * A process with a library that looks like HotSpot's, whose machine behaves badly when
 * collect -P asks it. usage: java-fake LIBRARY HOW; it ends when its input does.
 *
 *   other    it does not export its structures
 *   ended    there is no machine (any more)
 *   refuses  it takes no thread
 *   starts   it takes a thread, but has no tool interface yet
 *   denies   it grants no capability
 *   sleeps   it never answers
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#ifdef LIBRARY
struct row {
    const char *type, *field, *kind;
    int is_static;
    uint64_t offset;
    void *address;
};

static uint64_t nothing;
static int threads = 20;
static char how[16];

static const struct row rows[] = {
    { "CodeCache", "_heaps", "", 1, 0, &nothing },
    { "AbstractInterpreter", "_code", "", 1, 0, &nothing },
    { "Threads", "_number_of_threads", "int", 1, 0, &threads },
#define FIELD(type, name) { type, name, "", 0, 8, NULL }
    FIELD("GrowableArrayBase", "_len"), FIELD("GrowableArray<int>", "_data"),
    FIELD("CodeHeap", "_memory"), FIELD("CodeHeap", "_segmap"),
    FIELD("CodeHeap", "_log2_segment_size"), FIELD("VirtualSpace", "_low"),
    FIELD("VirtualSpace", "_high"), FIELD("VirtualSpace", "_low_boundary"),
    FIELD("VirtualSpace", "_high_boundary"), FIELD("HeapBlock::Header", "_used"),
    FIELD("CodeBlob", "_code_begin"), FIELD("CodeBlob", "_frame_size"),
    FIELD("CodeBlob", "_size"), FIELD("CodeBlob", "_name"),
    FIELD("StubQueue", "_stub_buffer"), FIELD("StubQueue", "_buffer_limit"),
    { NULL, NULL, NULL, 0, 0, NULL },
};
const struct row *gHotSpotVMStructs = rows;
uint64_t gHotSpotVMStructEntryTypeNameOffset = 0;
uint64_t gHotSpotVMStructEntryFieldNameOffset = 8;
uint64_t gHotSpotVMStructEntryOffsetOffset = 32;
uint64_t gHotSpotVMStructEntryAddressOffset = 40;
uint64_t gHotSpotVMStructEntryArrayStride = sizeof(struct row);

static const struct size {
    const char *type;
    uint64_t bytes;
} sizes[] = { { "HeapBlock", 16 }, { NULL, 0 } };
const struct size *gHotSpotVMTypes = sizes;
uint64_t gHotSpotVMTypeEntryTypeNameOffset = 0;
uint64_t gHotSpotVMTypeEntrySizeOffset = 8;
uint64_t gHotSpotVMTypeEntryArrayStride = sizeof(struct size);

/* The tool interface: all its functions return an error. */
static int
deny(void)
{
    return 99;
}

static void *tool_table[160];
static void *const *tool = tool_table;

static int
get_env(void *machine, void **env, int version)
{
    (void)machine;
    (void)version;
    *env = &tool;
    return strcmp(how, "denies") ? -2 : 0;
}

static int
attach(void *machine, void **env, void *args)
{
    (void)machine;
    (void)args;
    while (!strcmp(how, "sleeps"))
        pause();
    *env = &tool;
    return strcmp(how, "refuses") ? 0 : -1;
}

static int
detach(void *machine)
{
    (void)machine;
    return 0;
}

static void *const machine_table[] = { NULL, NULL, NULL, NULL, NULL, detach, get_env,
                                       attach };
static void *const *machine = machine_table;

int
JNI_GetCreatedJavaVMs(void **machines, int room, int *count)
{
    *count = strcmp(how, "ended") != 0 && room > 0;
    if (*count)
        *machines = &machine;
    return 0;
}

void
fake_be(const char *what)
{
    strncpy(how, what, sizeof(how) - 1);
    for (int i = 0; i < 160; i++)
        tool_table[i] = (void *)deny;
    if (!strcmp(how, "other"))
        gHotSpotVMStructs = NULL;
}
#else
int
main(int argc, char **argv)
{
    void *library = argc > 2 ? dlopen(argv[1], RTLD_NOW) : NULL, *found;
    void (*be)(const char *);
    char line[8];

    found = library ? dlsym(library, "fake_be") : NULL;
    if (!found)
        return 2;
    memcpy(&be, &found, sizeof(be));
    be(argv[2]);
    puts("ready");
    fflush(stdout);
    while (read(0, line, sizeof(line)) > 0)
        ;
    return 5;
}
#endif
