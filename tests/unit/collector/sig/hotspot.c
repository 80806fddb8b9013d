/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/hotspot.h"
#include "collector/sig/hotspot_rule.h"
#include "collector/sig/objtab.h"
#include "collector/sig/rule.h"

/*
 * A machine's structures as we lay them out: one heap of 64 KiB in segments of 128
 * bytes, of which the first half is committed, with a method, a stub and the
 * interpreter.
 */
enum {
    LOG2 = 7,
    SEGMENT = 1 << LOG2,
    HEAP = 1 << 16,
    BLOCK = 16,  /* the header of a block */
    BLOB = 64,   /* the header of a piece */
    METHOD = 8,  /* segments: where it begins */
    METHOD_SEGMENTS = 40,
    STUB = 64,
    INTERPRETER = 96,
    FRAME_WORDS = 6,
    ENTRY = 16, /* bytes from a method's code to where it is called */
};

struct space {
    char *low_boundary, *high_boundary, *low, *high;
};

struct heap {
    struct space memory, segmap;
    int log2;
};

struct array {
    int length;
    struct heap **data;
};

struct queue {
    char *buffer;
    int limit;
};

struct blob {
    const char *name;
    char *code;
    char *entry;
    int size;
    int frame;
};

static const unsigned char beginning[] = {
    0x89, 0x84, 0x24, 0x00, 0xc0, 0xfe, 0xff, /* mov %eax, -0x14000(%rsp) */
    0x55,                                     /* push %rbp */
    0x48, 0x83, 0xec, 0x20,                   /* sub $0x20, %rsp */
};

static unsigned char segmap[HEAP / SEGMENT];
static struct heap heap;
static struct heap *heaps[] = { &heap };
static struct array array = { 1, heaps };
static struct array *array_variable = &array;
static struct queue queue;
static struct queue *queue_variable = &queue;
static u64 stack[64], pc, sp, bp;
static char *memory;
static struct mem m;

static u64
at(const void *p)
{
    return (u64)(uintptr_t)p;
}

/* Make a piece of so many segments. Returns its code. */
static char *
put_blob(u32 segment, u32 segments, const char *name, int frame)
{
    char *block = memory + segment * SEGMENT, *code = block + BLOCK + BLOB;
    struct blob *blob = (struct blob *)(void *)(block + BLOCK);

    block[8] = 1;
    blob->name = name;
    blob->code = code;
    blob->entry = code + ENTRY;
    blob->size = (int)(segments * SEGMENT) - BLOCK;
    blob->frame = frame;
    for (u32 i = 0; i < segments; i++)
        segmap[segment + i] = (unsigned char)(i < 3 ? i : 3);
    return code;
}

static void
set_layout(void)
{
    struct hotspot_layout l;

    memset(&l, 0xff, sizeof(l));
    l.heaps_at = at(&array_variable);
    l.heap_at = 0;
    l.interpreter_at = at(&queue_variable);
    l.array_length = offsetof(struct array, length);
    l.array_data = offsetof(struct array, data);
    l.heap_memory = offsetof(struct heap, memory);
    l.heap_segmap = offsetof(struct heap, segmap);
    l.heap_log2 = offsetof(struct heap, log2);
    l.space_low = offsetof(struct space, low);
    l.space_high = offsetof(struct space, high);
    l.space_low_boundary = offsetof(struct space, low_boundary);
    l.space_high_boundary = offsetof(struct space, high_boundary);
    l.block_bytes = BLOCK;
    l.block_used = 8;
    l.blob_code_begin = offsetof(struct blob, code);
    l.blob_frame_size = offsetof(struct blob, frame);
    l.blob_size = offsetof(struct blob, size);
    l.blob_name = offsetof(struct blob, name);
    l.nmethod_verified_entry = offsetof(struct blob, entry);
    l.queue_buffer = offsetof(struct queue, buffer);
    l.queue_limit = offsetof(struct queue, limit);
    hotspot_set(&l);
}

static void
setup(void)
{
    memory = mmap(NULL, HEAP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                  0);
    memset(segmap, 0xff, sizeof(segmap));
    heap.memory = (struct space){ memory, memory + HEAP, memory, memory + HEAP / 2 };
    heap.segmap.low = (char *)segmap;
    heap.log2 = LOG2;
    memcpy(put_blob(METHOD, METHOD_SEGMENTS, "nmethod", FRAME_WORDS) + ENTRY, beginning,
           sizeof(beginning));
    put_blob(STUB, 8, "StubRoutines (1)", 0);
    queue.buffer = put_blob(INTERPRETER, 32, "Interpreter", 0);
    queue.limit = 32 * SEGMENT - BLOCK - BLOB;
    set_layout();
    mem_init(&m, at(stack), at(stack + 64));
}

static u64
code_of(u32 segment)
{
    return at(memory) + segment * SEGMENT + BLOCK + BLOB;
}

static int
step(u64 from, u32 exact, const struct regs *regs)
{
    struct hotspot_frame f = { regs, exact, from, at(stack), bp, .place = 0 };
    int err = hotspot_step(&m, &f);

    pc = f.pc;
    sp = f.sp;
    bp = f.bp;
    return err;
}

TestSuite(hotspot, .init = setup);

Test(hotspot, pieces_are_found_by_the_map)
{
    u64 end = at(memory) + (METHOD + METHOD_SEGMENTS) * SEGMENT;
    struct hotspot_blob blob;

    for (u64 p = code_of(METHOD); p < end; p += 7) {
        cr_assert_eq(hotspot_find(p, &blob), 0);
        cr_assert_eq(blob.code, code_of(METHOD));
        cr_assert_eq(blob.kind, HOTSPOT_COMPILED);
        cr_assert_eq(blob.frame, 8 * FRAME_WORDS);
    }
    cr_assert_eq(hotspot_find(end + 8, &blob), -ENOENT, "free");
    cr_assert_eq(hotspot_find(at(memory) + HEAP - 8, &blob), -ENOENT, "no memory yet");
    cr_assert(hotspot_holds(at(memory) + HEAP - 8), "but reserved");
    cr_assert_not(hotspot_holds(at(memory) + HEAP));
    cr_assert_eq(hotspot_find(code_of(INTERPRETER) + 9, &blob), 0);
    cr_assert_eq(blob.kind, HOTSPOT_INTERPRETER);
    cr_assert_eq(hotspot_find(code_of(STUB), &blob), 0);
    cr_assert_eq(blob.kind, HOTSPOT_STUB);
}

Test(hotspot, a_piece_that_goes_is_not_found)
{
    struct hotspot_blob blob;

    memory[METHOD * SEGMENT + 8] = 0;
    cr_assert_eq(hotspot_find(code_of(METHOD), &blob), -ENOENT);
}

Test(hotspot, a_map_that_leads_nowhere)
{
    struct hotspot_blob blob;

    segmap[METHOD] = 200; /* to before the heap's beginning */
    cr_assert_eq(hotspot_find(code_of(METHOD), &blob), -ENOENT);
}

Test(hotspot, a_method_by_the_size_of_its_frame)
{
    u64 caller = code_of(METHOD) + 300;

    stack[FRAME_WORDS - 1] = caller;
    stack[FRAME_WORDS - 2] = 0x1234560;
    cr_assert_eq(step(code_of(METHOD) + 100, 0, NULL), 0);
    cr_assert_eq(pc, caller);
    cr_assert_eq(sp, at(stack + FRAME_WORDS));
    cr_assert_eq(bp, 0x1234560);
    stack[FRAME_WORDS - 1] = 0x10;
    cr_assert_eq(step(code_of(METHOD) + 100, 0, NULL), -ENOENT, "nowhere");
}

Test(hotspot, a_method_at_its_beginning)
{
    u64 caller = code_of(METHOD) + 300, entry = code_of(METHOD) + ENTRY;
    static const struct {
        u32 offset;
        u32 ra;
        u64 saved;
    } rows[] = {
        { 0, 0, 0x77 },  { 7, 0, 0x77 }, /* before the push */
        { 8, 1, 0x55 },                  /* before the sub */
        { 12, FRAME_WORDS - 1, 0x55 },   /* complete */
    };

    for (u32 i = 0; i < ER_COUNT(rows); i++) {
        memset(stack, 0, sizeof(stack));
        stack[rows[i].ra] = caller;
        if (rows[i].ra)
            stack[rows[i].ra - 1] = 0x55;
        bp = 0x77;
        cr_assert_eq(step(entry + rows[i].offset, 1, NULL), 0, "row %u", i);
        cr_assert_eq(pc, caller);
        cr_assert_eq(sp, at(stack + rows[i].ra + 1));
        cr_assert_eq(bp, rows[i].saved);
    }
    memset(stack, 0, sizeof(stack));
    stack[0] = caller;
    cr_assert_eq(step(entry - 8, 1, NULL), 0, "where the receiver's class is checked");
    cr_assert_eq(pc, caller);
}

Test(hotspot, the_interpreter_and_the_callers_stack_pointer)
{
    u64 caller = code_of(INTERPRETER) + 500;

    bp = at(stack + 10);
    stack[9] = at(stack + 20); /* locals lie between */
    stack[10] = at(stack + 30);
    stack[11] = caller;
    cr_assert_eq(step(code_of(INTERPRETER) + 100, 0, NULL), 0);
    cr_assert_eq(pc, caller);
    cr_assert_eq(sp, at(stack + 20));
    cr_assert_eq(bp, at(stack + 30));
    stack[9] = at(stack + 8); /* inside of the frame */
    bp = at(stack + 10);
    cr_assert_eq(step(code_of(INTERPRETER) + 100, 0, NULL), -ENOENT);
}

Test(hotspot, a_method_that_the_interpreter_enters)
{
    struct regs regs = { .known = REGS_ALL };
    u64 caller = code_of(INTERPRETER) + 500;

    regs.r[13] = at(stack + 6);
    regs.r[REGS_RAX] = caller;
    bp = at(stack + 30);
    cr_assert_eq(step(code_of(INTERPRETER) + 100, 1, &regs), 0, "it is in rax");
    cr_assert_eq(pc, caller);
    cr_assert_eq(sp, at(stack + 6));
    cr_assert_eq(bp, at(stack + 30));
    regs.r[REGS_RAX] = 0;
    stack[0] = caller;
    cr_assert_eq(step(code_of(INTERPRETER) + 100, 1, &regs), 0, "it is on the stack");
    cr_assert_eq(pc, caller);
    cr_assert_eq(sp, at(stack + 6));
}

Test(hotspot, stubs_by_the_call_that_led_there)
{
    u64 stub = code_of(STUB), after = code_of(METHOD) + 205;
    int32_t to = (int32_t)(stub - after);

    memory[METHOD * SEGMENT + BLOCK + BLOB + 200] = (char)0xe8;
    memcpy(memory + METHOD * SEGMENT + BLOCK + BLOB + 201, &to, sizeof(to));
    for (u32 pushed = 0; pushed < 5; pushed++) {
        memset(stack, 0, sizeof(stack));
        stack[pushed] = after;
        bp = 0x77;
        cr_assert_eq(step(stub + 20, 1, NULL), 0);
        cr_assert_eq(pc, after);
        cr_assert_eq(sp, at(stack + pushed + 1));
        cr_assert_eq(bp, 0x77);
    }
    memset(stack, 0, sizeof(stack));
    bp = at(stack + 3);
    stack[3] = 0x99;
    stack[4] = after;
    cr_assert_eq(step(stub + 20, 1, NULL), 0, "it has a frame");
    cr_assert_eq(sp, at(stack + 5));
    cr_assert_eq(bp, 0x99);
}

/* Step from a place in the method, and keep the rule. The rule that the cache has. */
static u64
keep(u64 from, u32 exact, u32 seen)
{
    struct hotspot_frame f = { NULL, exact, from, at(stack), bp, .place = 0 };

    stack[FRAME_WORDS - 1] = code_of(METHOD) + 300;
    cr_assert_eq(hotspot_step(&m, &f), 0);
    hotspot_rule_keep(from, &f, seen);
    return rule_get(rule_key(from, exact));
}

Test(hotspot, rules_are_kept_from_one_report_to_the_other)
{
    u64 code = code_of(METHOD), from = code + 100, end = code + 4000;
    u64 rule = rule_pack(RULE_SP, RULE_BP_AT_CFA, 0, -16, FRAME_WORDS * 8);
    u32 before = objtab_generation;

    cr_assert_eq(keep(from, 0, hotspot_rule_now()), 0u, "not reported yet");
    hotspot_rule_begin(code, end);
    for (u32 n = 1; n < 8; n++) {
        for (u32 i = 0; i < n; i++) {
            cr_assert_eq(keep(from + i, i & 1, hotspot_rule_now()), rule);
            cr_assert_eq(rule_get(rule_key(from + i, !(i & 1))), 0u);
        }
        hotspot_rule_end(code + 64);
        cr_assert_eq(rule_get(rule_key(from, 0)), rule, "another method");
        hotspot_rule_end(code);
        for (u32 i = 0; i < n; i++)
            cr_assert_eq(rule_get(rule_key(from + i, i & 1)), 0u, "%u of %u", i, n);
        cr_assert_neq(objtab_generation, before);
        hotspot_rule_begin(code, end);
    }
    cr_assert_eq(keep(from, 0, hotspot_rule_now() - 1), 0u, "one has gone meanwhile");
    cr_assert_eq(keep(end + 8, 0, hotspot_rule_now()), 0u, "not the method's");
}
