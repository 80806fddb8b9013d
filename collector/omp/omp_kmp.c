/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hooks of libomp and similar runtimes, for programs compiled by Clang, Intel's or
 * AMD's compilers. The compiler calls a region's body with any number of arguments. We
 * have the runtime call our function instead, with one more argument: the region. A
 * task gets some words of ours before its shared variables.
 */
#include <stdarg.h>

#include "collector/libc/real.h"
#include "collector/omp/omp_body.h"
#include "collector/omp/omp_loop.h"
#include "collector/sig/join.h"

/* omp_tool.c defines the functions with these names, which jump to the ones here. */
void __kmpc_fork_call(void *place, int count, kmp_body body, ...)
    __asm__("omp_our_fork_call") __attribute__((visibility("hidden")));
void __kmpc_fork_teams(void *place, int count, kmp_body body, ...)
    __asm__("omp_our_fork_teams") __attribute__((visibility("hidden")));

#define WRAP(type, name, params, need) type name params;
#include "collector/omp/omp.def"
#undef WRAP

/*
 * Call a function with n arguments, integers or pointers; n may exceed the number of
 * argument registers. Returns the function's result.
 */
long omp_call(const void *function, u64 n, const u64 *arguments)
    __attribute__((visibility("hidden")));

__asm__(".pushsection .text\n"
        ".globl omp_call\n"
        ".hidden omp_call\n"
        ".type omp_call, @function\nomp_call:\n"
        ".cfi_startproc\n"
        "endbr64\n"
        "push %rbp\n .cfi_def_cfa_offset 16\n .cfi_offset %rbp, -16\n"
        "mov %rsp, %rbp\n .cfi_def_cfa_register %rbp\n"
        "mov %rdi, %r11\n"
        "mov %rdx, %r10\n"
        "mov %rsi, %rax\n"
        /* Copy the seventh argument and all later ones to the stack. */
        "lea 1(%rsi), %rcx\n"
        "and $-2, %rcx\n"
        "shl $3, %rcx\n"
        "sub %rcx, %rsp\n"
        "and $-16, %rsp\n"
        "xor %ecx, %ecx\n"
        "1: lea 6(%rcx), %rdx\n"
        "cmp %rax, %rdx\n"
        "jae 2f\n"
        "mov (%r10,%rdx,8), %rdx\n"
        "mov %rdx, (%rsp,%rcx,8)\n"
        "inc %rcx\n"
        "jmp 1b\n"
        "2: mov (%r10), %rdi\n"
        "mov 8(%r10), %rsi\n"
        "mov 16(%r10), %rdx\n"
        "mov 24(%r10), %rcx\n"
        "mov 32(%r10), %r8\n"
        "mov 40(%r10), %r9\n"
        "xor %eax, %eax\n"
        "call *%r11\n"
        "leave\n .cfi_def_cfa %rsp, 8\n"
        "ret\n"
        ".cfi_endproc\n"
        ".size omp_call, . - omp_call\n"
        ".popsection\n");

enum {
    REGISTERS = 6, /* arguments that omp_call() always reads */
    OURS = 3,      /* first arguments of our body: two thread numbers, the region */
};

/* A region or a league of teams, and the body with the number of its arguments. */
struct kmp_region {
    struct omp_region r; /* for a league, only r.word is used */
    kmp_body body;
    u64 count;
};

/* One thread's call of a body. */
struct kmp_part {
    struct kmp_region *region;
    u64 *arguments; /* the two thread numbers, then the compiler's arguments */
};

static void
call_body(void *arg)
{
    const struct kmp_part *part = arg;

    omp_call((const void *)(uintptr_t)part->region->body, part->region->count + 2,
             part->arguments);
}

static void
read_arguments(u64 *a, u64 count, va_list list)
{
    for (u64 i = 0; i < count; i++)
        a[i] = va_arg(list, u64);
}

/*
 * The functions that libomp's threads run: a part of a region, or a team's first
 * thread.
 */
#define RUN_BODY(name, call)                                                        \
    static void name(int *thread, int *bound, struct kmp_region *region, ...)       \
    {                                                                               \
        u64 *a = __builtin_alloca((region->count + OURS + REGISTERS) * sizeof(*a)); \
        struct kmp_part part = { region, a };                                       \
        va_list list;                                                               \
                                                                                    \
        a[0] = (u64)(uintptr_t)thread;                                              \
        a[1] = (u64)(uintptr_t)bound;                                               \
        va_start(list, region);                                                     \
        read_arguments(a + 2, region->count, list);                                 \
        va_end(list);                                                               \
        call;                                                                       \
    }

RUN_BODY(run_body, omp_region_run(&region->r, call_body, &part))
RUN_BODY(run_team, join_call(call_body, &part, region->r.word))

/*
 * Call the runtime: with our function and the region, or if `ours` is NULL, with the
 * body itself.
 */
static void
hand_over(void *next, void *place, struct kmp_region *region, kmp_body ours,
          va_list list)
{
    u64 *a = __builtin_alloca((region->count + 4 + REGISTERS) * sizeof(*a));
    u64 n = 0;

    a[n++] = (u64)(uintptr_t)place;
    a[n++] = region->count + (ours ? 1 : 0);
    a[n++] = ours ? (u64)(uintptr_t)ours : (u64)(uintptr_t)region->body;
    if (ours)
        a[n++] = (u64)(uintptr_t)region;
    read_arguments(a + n, region->count, list);
    omp_call(next, n + region->count, a);
}

static void
fork_call(const struct omp_real *runtime, void *place, int count, kmp_body body,
          va_list list, const struct walk_start *start)
{
    void *next = (void *)(uintptr_t)runtime->__kmpc_fork_call;
    struct kmp_region region;
    int recorded = omp_region_begin(&region.r, NULL, NULL, start);

    region.body = body;
    region.count = (u64)count;
    hand_over(next, place, &region, recorded ? (kmp_body)(void *)run_body : NULL, list);
    if (recorded)
        omp_region_end(&region.r);
}

void
__kmpc_fork_call(void *place, int count, kmp_body body, ...)
{
    const struct omp_real *runtime = OMP_REAL(__kmpc_fork_call);
    struct walk_start start;
    va_list list;

    TRACE_CAPTURE(&start);
    va_start(list, body);
    fork_call(runtime, place, count, body, list, &start);
    va_end(list);
}

static void
fork_some(const struct omp_real *runtime, const struct walk_start *start, void *place,
          int count, kmp_body body, ...)
{
    va_list list;

    va_start(list, body);
    fork_call(runtime, place, count, body, list, start);
    va_end(list);
}

/*
 * Called for a region with an `if` clause, whose value is `many`, by code of LLVM's
 * OpenMPIRBuilder: of Flang, and of Clang with -fopenmp-enable-irbuilder.
 */
WRAPPER void
__kmpc_fork_call_if(void *place, int count, kmp_body body, int many, void *data)
{
    const struct omp_real *runtime = OMP_REAL(__kmpc_fork_call_if);
    struct walk_start start;

    TRACE_CAPTURE(&start);
    if (many && runtime->__kmpc_fork_call) {
        fork_some(runtime, &start, place, data ? 1 : 0, body, data);
        return;
    }
    omp_loop_alone(1);
    runtime->__kmpc_fork_call_if(place, count, body, many, data);
    omp_loop_alone(-1);
}

void
__kmpc_fork_teams(void *place, int count, kmp_body body, ...)
{
    const struct omp_real *runtime = OMP_REAL(__kmpc_fork_teams);
    struct kmp_region region = { .body = body, .count = (u64)count };
    struct walk_start start;
    va_list list;

    TRACE_CAPTURE(&start);
    region.r.word = omp_caller(&start);
    va_start(list, body);
    hand_over((void *)(uintptr_t)runtime->__kmpc_fork_teams, place, &region,
              region.r.word ? (kmp_body)(void *)run_team : NULL, list);
    va_end(list);
}

/* The beginning of kmp_task_t, on which compilers rely, too. */
struct kmp_task {
    void *shared;
    kmp_entry entry;
};

/*
 * Our data before the shared variables of a task; the task's pointer to those is moved.
 */
struct kmp_own {
    kmp_entry entry;
    u64 word;
    struct omp_creating here; /* while the creator itself runs the task */
};

struct kmp_run {
    struct kmp_task *task;
    kmp_entry entry;
    int thread;
};

static void
call_task(void *arg)
{
    const struct kmp_run *run = arg;

    run->entry(run->thread, run->task);
}

static int
run_task(int thread, void *task)
{
    struct kmp_task *t = task;
    const struct kmp_own *own = (struct kmp_own *)t->shared - 1;
    struct kmp_run run = { t, own->entry, thread };

    omp_task_run(call_task, &run, own->word);
    return 0;
}

WRAPPER void *
__kmpc_omp_task_alloc(void *place, int thread, int flags, size_t bytes, size_t shared,
                      kmp_entry entry)
{
    const struct omp_real *runtime = OMP_REAL(__kmpc_omp_task_alloc);
    struct walk_start start;
    struct kmp_task *task;
    struct kmp_own *own;
    u64 word;

    TRACE_CAPTURE(&start);
    word = omp_caller(&start);
    if (!word)
        return runtime->__kmpc_omp_task_alloc(place, thread, flags, bytes, shared,
                                              entry);
    task = runtime->__kmpc_omp_task_alloc(place, thread, flags, bytes,
                                          shared + sizeof(*own), run_task);
    own = task->shared;
    *own = (struct kmp_own){ .entry = entry, .word = word };
    task->shared = own + 1;
    return task;
}

/* Our data of a task, or NULL: the task has none. */
static struct kmp_own *
own_of(const void *task)
{
    const struct kmp_task *t = task;

    return t && t->entry == run_task ? (struct kmp_own *)t->shared - 1 : NULL;
}

/* The join word of the place where a task was created; 0 = the task has none. */
static u64
word_of(const void *task)
{
    const struct kmp_own *own = own_of(task);

    return own ? own->word : 0;
}

/*
 * This call hands the task over to the runtime: its time is the time to create the
 * task.
 */
WRAPPER int
__kmpc_omp_task(void *place, int thread, void *task)
{
    const struct omp_real *runtime = OMP_REAL(__kmpc_omp_task);
    u64 word = word_of(task);
    struct omp_creating creating;
    int result;

    OMP_LEAVE_TO_TOOL_ASK(runtime->__kmpc_omp_task(place, thread, task));
    omp_create_begin(&creating);
    result = runtime->__kmpc_omp_task(place, thread, task);
    omp_create_end(&creating, word, 0);
    return result;
}

WRAPPER int
__kmpc_omp_task_with_deps(void *place, int thread, void *task, int count, void *list,
                          int others, void *other_list)
{
    const struct omp_real *runtime = OMP_REAL(__kmpc_omp_task_with_deps);
    u64 word = word_of(task);
    struct omp_creating creating;
    int result;

    omp_create_begin(&creating);
    result = runtime->__kmpc_omp_task_with_deps(place, thread, task, count, list,
                                                others, other_list);
    omp_create_end(&creating, word, 0);
    return result;
}

#define LIST(...) __VA_ARGS__

#define TASKLOOP(name, params, args)                                                \
    WRAPPER void name(void *place, int thread, void *task, int now, u64 *from,      \
                      u64 *to, int64_t step, int no_group, int schedule, u64 grain, \
                      params)                                                       \
    {                                                                               \
        const struct omp_real *runtime = OMP_REAL(name);                            \
        u64 word = word_of(task);                                                   \
        struct omp_creating creating;                                               \
                                                                                    \
        omp_create_begin(&creating);                                                \
        runtime->name(place, thread, task, now, from, to, step, no_group, schedule, \
                      grain, args);                                                 \
        omp_create_end(&creating, word, !no_group);                                 \
    }

TASKLOOP(__kmpc_taskloop, void *copy, copy)
TASKLOOP(__kmpc_taskloop_5, LIST(int strict, void *copy), LIST(strict, copy))

/*
 * Called for a task with an `if` clause that is false: the creator then calls the body
 * itself.
 */
WRAPPER void
__kmpc_omp_task_begin_if0(void *place, int thread, void *task)
{
    struct kmp_own *own = own_of(task);

    OMP_REAL(__kmpc_omp_task_begin_if0)->__kmpc_omp_task_begin_if0(place, thread, task);
    if (own)
        omp_task_here_begin(&own->here);
}

WRAPPER void
__kmpc_omp_task_complete_if0(void *place, int thread, void *task)
{
    const struct kmp_own *own = own_of(task);

    if (own)
        omp_task_here_end(&own->here, own->word);
    OMP_REAL(__kmpc_omp_task_complete_if0)
        ->__kmpc_omp_task_complete_if0(place, thread, task);
}
