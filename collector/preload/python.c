/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/python.h"

#include <string.h>

#include "collector/preload/dynsym.h"
#include "collector/preload/expt.h"
#include "collector/preload/room.h"
#include "collector/sig/python.h"
#include "share/fmt.h"
#include "share/record.h"

/*
 * In the order of struct python_layout, which is that of python.def. Its last members,
 * from object_type on, are the same in all these versions.
 */
static const struct python_layout layouts[] = {
#define PYTHON(name, ...) { __VA_ARGS__, 8, 16, 32, 16, 32, 0, 0 },
#include "collector/preload/python.def"
#undef PYTHON
};

/*
 * Find out the version: 0x030b07f0 is 3.11.7; 0 = not Python 3.8 or newer. Python
 * before 3.11 does not export its version: take it from the symbols that exist.
 */
static u32
version_of(const struct dynsym *table)
{
    static const struct {
        const char *name;
        u32 version;
    } since[] = { { "PyModule_AddObjectRef", 0x030a0000 },
                  { "PyFrame_GetCode", 0x03090000 },
                  { "PyCode_NewWithPosOnlyArgs", 0x03080000 } };
    u64 said = dynsym_find(table, "Py_Version");

    if (said)
        return (u32) * (const unsigned long *)(uintptr_t)said;
    for (u32 i = 0; i < ER_COUNT(since); i++)
        if (dynsym_find(table, since[i].name))
            return since[i].version;
    return 0;
}

/* Indices of the words in _Py_DebugOffsets of 3.13 and 3.14. */
struct debug_words {
    u32 version;
    u32 threads_head; /* interpreter_state.threads_head */
    u32 state;        /* thread_state.size */
    u32 frame;        /* interpreter_frame.size */
    u32 code;         /* code_object.size */
    u32 type;         /* pyobject.ob_type */
    u32 bytes;        /* bytes_object.size */
    u32 text;         /* unicode_object.size */
    u32 tag;          /* flag bits in a frame's reference to its code */
    u32 free_kind;    /* kind_shift in builds without the global lock */
    u32 copies; /* 1 = in such builds, each thread has a copy of the instructions */
};

enum {
    WORD_VERSION = 1,
    WORD_FREE_THREADED = 2,
    WORD_HEAD = 5,
    WORD_INTERP_NEXT = 8,
    ID_BEHIND = 72, /* in PyThreadState: bytes from thread_id to id */
};

static const struct debug_words debug_words[] = {
    { 0x030d, 9, 19, 28, 34, 45, 64, 67, 0, 2, 0 },
    { 0x030e, 9, 22, 31, 39, 51, 74, 77, 3, 8, 1 },
};

/* Do the members that are read lie within their structures? */
static int
is_plausible(const u64 *state, const u64 *frame, const u64 *code)
{
    return state[1] < state[0] && state[2] < state[0] && state[4] < state[0] &&
           state[5] < state[0] && state[8] < state[0] && frame[1] < frame[0] &&
           frame[2] < frame[0] && frame[3] < frame[0] && frame[5] < frame[0] &&
           code[1] < code[0] && code[3] < code[0] && code[4] < code[0] &&
           code[5] < code[0] && code[9] <= code[0] && code[9] >= 16;
}

static int
read_debug_words(struct python_layout *l, const u64 *word, const struct debug_words *at)
{
    const u64 *state = word + at->state, *frame = word + at->frame;
    const u64 *code = word + at->code, *text = word + at->text;
    int is_free = word[WORD_FREE_THREADED] != 0;

    if (!is_plausible(state, frame, code))
        return 0;
    *l = (struct python_layout){
        .version = at->version,
        .runtime_head = (u32)word[WORD_HEAD],
        .interp_next = (u32)word[WORD_INTERP_NEXT],
        .interp_threads = (u32)word[at->threads_head],
        .state_prev = (u32)state[1],
        .state_next = (u32)state[2],
        .state_thread = (u32)state[5],
        .state_id = (u32)state[5] + ID_BEHIND,
        .state_status = (u32)state[8],
        .state_frame = (u32)state[4],
        .frame_back = (u32)frame[1],
        .frame_globals = (u32)frame[2] + 24, /* after `previous` and the function */
        .frame_code = (u32)frame[2],
        .frame_instr = (u32)frame[3],
        .frame_entry = (u32)frame[5],
        .entry = PYTHON_OWNER,
        .owner = 3,
        .instr = PYTHON_POINTER,
        .code_line = (u32)code[5],
        .code_name = (u32)code[3],
        .code_file = (u32)code[1],
        .code_lines = (u32)code[4],
        .code_code = (u32)code[9],
        .code_first = (u32)code[9] - 16, /* _co_firsttraceable is before it */
        .table = CODE_LOCATIONS,
        .ascii = (u32)text[3],
        .compact = (u32)text[3] + 16,
        .kind_shift = is_free ? at->free_kind : 2,
        .tag = at->tag,
        .object_type = (u32)word[at->type],
        .text_length = (u32)text[2],
        .text_state = (u32)text[1],
        .bytes_size = (u32)word[at->bytes + 1],
        .bytes_data = (u32)word[at->bytes + 2],
    };
    if (is_free && at->copies) {
        l->code_copies = (u32)code[10];
        l->code_first = (u32)code[10] - 16;
        l->frame_copy = (u32)frame[7];
    }
    return 1;
}

/* The table in which the runtime describes its layout, from 3.13 on; NULL = none. */
static const u64 *
words_of(u64 runtime, u32 version)
{
    const u64 *word = (const void *)(uintptr_t)runtime;

    return version >> 16 >= 0x030d && !memcmp(word, "xdebugpy", 8) &&
                   word[WORD_VERSION] >> 16 == version >> 16
               ? word : NULL;
}

/* Is this a free-threaded build, without the global lock? */
static int
is_free_threaded(u64 runtime, u32 version)
{
    const u64 *word = words_of(runtime, version);

    return word && word[WORD_FREE_THREADED];
}

static int
layout_read(struct python_layout *l, u64 runtime, u32 version)
{
    const u64 *word = words_of(runtime, version);

    for (u32 i = 0; word && i < ER_COUNT(debug_words); i++)
        if (debug_words[i].version == version >> 16)
            return read_debug_words(l, word, &debug_words[i]);
    return 0;
}

static int
layout_of(struct python_layout *l, u64 runtime, u32 version)
{
    for (u32 i = 0; i < ER_COUNT(layouts); i++) {
        if (layouts[i].version == version >> 16) {
            *l = layouts[i];
            return 1;
        }
    }
    return layout_read(l, runtime, version);
}

static struct {
    u64 at; /* address of the evaluation function, 0 = there is no interpreter */
    u32 version;       /* from version_of() */
    u32 known;         /* 1 = the layout of its structures is known */
    u32 free_threaded; /* 1 = a build without the global lock */
    u32 told;          /* 1 = python_log() has logged it */
} found;

/* Find the segment that contains an address; 0, 0 if there is none. */
static void
find_segment(const struct dl_phdr_info *info, u64 address, u64 *lo, u64 *hi)
{
    *lo = *hi = 0;
    for (u32 i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        u64 begin = info->dlpi_addr + p->p_vaddr;

        if (p->p_type == PT_LOAD && address >= begin && address < begin + p->p_memsz) {
            *lo = begin;
            *hi = begin + p->p_memsz;
        }
    }
}

void
python_find(const struct dl_phdr_info *info)
{
    struct python_layout layout;
    struct dynsym table;
    u64 runtime, type, eval;

    if (found.at || dynsym_open(&table, info) < 0)
        return;
    runtime = dynsym_find(&table, "_PyRuntime");
    type = dynsym_find(&table, "PyCode_Type");
    eval = dynsym_find(&table, "_PyEval_EvalFrameDefault");
    if (!runtime || !type || !eval)
        return;
    found.at = eval;
    found.version = version_of(&table);
    found.free_threaded = is_free_threaded(runtime, found.version) != 0;
    found.told = 0;
    found.known = layout_of(&layout, runtime, found.version) != 0;
    if (!found.known)
        return;
    python_set(&layout);
    python.code_type = type;
    python.data_stays = !*info->dlpi_name;
    find_segment(info, runtime, &python.data_lo, &python.data_hi);
    __atomic_store_n(&python.runtime, runtime, __ATOMIC_RELEASE);
}

void
python_unload(u64 lo, u64 hi)
{
    if (!found.at || found.at < lo || found.at >= hi)
        return;
    __atomic_store_n(&python.runtime, 0, __ATOMIC_RELEASE);
    found.at = 0;
}

void
python_log(void)
{
    char text[32];
    struct fmt f;

    if (!found.at || found.told || !space_ctl)
        return;
    found.told = 1;
    /* Map the file in which names are recorded: a short descendant has not done so. */
    if (found.known) {
        expt_map_late(FILE_overview);
        room_usual(FILE_overview);
    }
    f = fmt_start(text, sizeof(text));
    if (found.version) {
        fmt_u64(&f, found.version >> 24);
        fmt_char(&f, '.');
        fmt_u64(&f, found.version >> 16 & 0xff);
        fmt_str(&f, found.free_threaded ? "t" : "");
    } else {
        fmt_str(&f, "before 3.8");
    }
    fmt_char(&f, 0);
    expt_event(found.known ? EVENT_python : EVENT_python_unknown, text, NULL, NULL, 0);
}

void
python_log_again(void)
{
    found.told = 0;
}
