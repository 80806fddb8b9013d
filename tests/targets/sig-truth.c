/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions that note their return addresses on a shadow stack, in every shape that
 * stacks have, interrupted all the time by a clock, or by a second thread where perf
 * is forbidden: each walk must hold the noted addresses in order and end at the root.
 * One line for each shape: "NAME samples N wrong N".
 * usage: sig-truth [MILLISECONDS [SHAPE]]
 */
/* build: -O2 -g -D_GNU_SOURCE -I@S@/../.. -fomit-frame-pointer */
/* build: name=v3 -O3 -g -D_GNU_SOURCE -I@S@/../.. -march=x86-64-v3 */
/* build: name=o0 -O0 -g -D_GNU_SOURCE -I@S@/../.. */
/* build: name=bare -O2 -D_GNU_SOURCE -I@S@/../.. -fno-asynchronous-unwind-tables */
/* build: name=clang cc=clang -O2 -D_GNU_SOURCE -I@S@/../.. -march=x86-64-v3 -w */
/* link: @S@/../../collector/sig/cfi*.c @S@/../../collector/sig/guess*.c */
/* link: @S@/../../collector/sig/hotspot.c */
/* link: @S@/../../collector/sig/hotspot_rule.c */
/* link: @S@/../../collector/sig/hotspot_x86_64.c */
/* link: @S@/../../collector/sig/[aeijmnor]*.c @S@/../../collector/sig/cache_use.c */
/* link: @S@/../../collector/sig/loaded.c @S@/../../collector/sig/step.c */
/* link: @S@/../../collector/sig/walk*.c -lm -ldl -lpthread */
#include <alloca.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "tests/targets/sig-self.h"

#define NOINLINE __attribute__((noinline, noclone))
#if defined(__clang__)
#undef NOINLINE
#define NOINLINE __attribute__((noinline))
#endif

enum {
    SHADOW = 4096,
    ALTERNATE = 1 << 18,
    LAZY = 12, /* the frames of binding a function at its first call */
    LOOSE = 1 << 20,
};

/* What the present thread's stack holds. */
struct shadow {
    u64 ra[SHADOW];
    volatile u32 n;
    volatile int valid;
    volatile u32 extra; /* frames that the walk may have beside the noted ones */
    struct walk *walk;
    u32 base; /* frames below the first noted one */
    u64 samples, wrong;
};

static __thread struct shadow *me __attribute__((tls_model("initial-exec")));
static sigjmp_buf back;
static volatile int escaping; /* the next sample's handler jumps to back */
static int debug;
static u64 milliseconds = 100;
static volatile double sink;

#define ENTER()                                                                   \
    do {                                                                          \
        me->ra[me->n] = (u64)(uintptr_t)__builtin_return_address(0);              \
        __asm__ volatile("" ::: "memory");                                        \
        me->n++;                                                                  \
    } while (0)
#define LEAVE()                            \
    do {                                   \
        __asm__ volatile("" ::: "memory"); \
        me->n--;                           \
    } while (0)

/* Code that plays the collector's part: its frames must not be seen. */
#define OURS __attribute__((section("ours_code"))) NOINLINE
extern const char __start_ours_code[], __stop_ours_code[];

static int
is_ours(u64 pc)
{
    return pc > (u64)(uintptr_t)__start_ours_code &&
           pc <= (u64)(uintptr_t)__stop_ours_code;
}

static void
complain(const u64 *pcs, const u32 *flags, u32 n)
{
    fprintf(stderr, "wrong; noted:\n");
    for (u32 i = me->n; i-- > 0;) {
        fprintf(stderr, "  ");
        self_print(stderr, me->ra[i]);
        fprintf(stderr, "\n");
    }
    fprintf(stderr, "walk (end %u):\n", walk_info(me->walk)->end);
    for (u32 i = 0; i < n; i++) {
        fprintf(stderr, "  %x ", flags[i]);
        self_print(stderr, pcs[i]);
        fprintf(stderr, "\n");
    }
}

static void
check(u32 id)
{
    u64 pcs[SHADOW];
    u32 flags[SHADOW], k = 0, ours = 0;
    u32 n = self_stack(id, pcs, flags, SHADOW);
    int good;

    for (u32 i = n; i-- > 1;) {
        if (k < me->n && pcs[i] == me->ra[k])
            k++;
        ours += is_ours(pcs[i]);
    }
    good = n > 0 && ours == 0 && k == me->n && walk_info(me->walk)->end == WALK_ROOT &&
           n - 1 <= me->base + me->n + me->extra;
    me->samples++;
    if (!good) {
        me->wrong++;
        if (debug && me->wrong < 4)
            complain(pcs, flags, n);
    }
}

static void
on_sample(int sig, siginfo_t *info, void *uc)
{
    int saved = errno;

    (void)sig;
    (void)info;
    if (me && me->valid) {
        u32 id = sig_walk(me->walk, uc);

        check(id);
        if (escaping && me->samples % 5 == 0) {
            escaping = 0;
            siglongjmp(back, 1);
        }
    }
    errno = saved;
}

static u64
now_ms(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (u64)t.tv_sec * 1000 + (u64)t.tv_nsec / 1000000;
}

/*
 * A clock of the thread's own user-mode time: a page to unmap, which ends it, or NULL
 * where there is none.
 */
static void *
start_clock(void)
{
    struct perf_event_attr attr = {
        .type = PERF_TYPE_SOFTWARE,
        .size = sizeof(attr),
        .config = PERF_COUNT_SW_TASK_CLOCK,
        .sample_period = 25000 + (u64)(now_ms() % 100) * 10,
        .exclude_kernel = 1,
        .wakeup_events = 1,
    };
    struct f_owner_ex owner = { F_OWNER_TID, gettid() };
    int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

    void *page = MAP_FAILED;

    if (fd >= 0) {
        page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        fcntl(fd, F_SETOWN_EX, &owner);
        fcntl(fd, F_SETSIG, SIGURG);
        fcntl(fd, F_SETFL, O_ASYNC);
        close(fd);
    }
    return page == MAP_FAILED ? NULL : page;
}

/* The thread that interrupts. */
static pthread_t victim;
static volatile int hunting;

static void *
hunt(void *arg)
{
    u32 random = 1;

    (void)arg;
    me = NULL;
    while (hunting) {
        pthread_kill(victim, SIGURG);
        random = random * 1664525 + 1013904223;
        for (u32 i = random >> 22; i > 0; i--)
            __asm__ volatile("pause");
    }
    return NULL;
}

/* Run a shape for a while under fire. */
static void
measure(const char *name, void (*shape)(void), u32 extra)
{
    u64 end = now_ms() + milliseconds;
    pthread_t hunter;
    void *clock;

    me->samples = me->wrong = 0;
    me->extra = extra;
    victim = pthread_self();
    hunting = 1;
    clock = start_clock();
    if (!clock && pthread_create(&hunter, NULL, hunt, NULL))
        abort();
    while (now_ms() < end)
        for (int i = 0; i < 20; i++) {
            me->n = 0;
            me->valid = 1;
            shape();
            me->valid = 0;
        }
    hunting = 0;
    if (clock)
        munmap(clock, 4096);
    else
        pthread_join(hunter, NULL);
    printf("%s samples %llu wrong %llu\n", name, (unsigned long long)me->samples,
           (unsigned long long)me->wrong);
    fflush(stdout);
}

static NOINLINE int
spin(int n)
{
    int sum = 0;

    ENTER();
    for (int i = 0; i < n; i++)
        __asm__ volatile("addl $1, %0" : "+r"(sum));
    LEAVE();
    return sum;
}

/* Frames of all sizes, with saved registers. */
static NOINLINE int
tree(int depth, int a, int b, int c)
{
    char room[40 + 8 * 3];
    int sum;

    ENTER();
    memset(room, depth, sizeof(room));
    __asm__ volatile("" ::"r"(room) : "memory");
    sum = depth == 0 ? spin(20) : tree(depth - 1, b, c, a + depth);
    if (depth > 3)
        sum += tree(depth / 2, a, a, sum);
    sum += room[depth & 7] + a + b + c;
    LEAVE();
    return sum;
}

static void
shape_tree(void)
{
    ENTER();
    sink = tree(12, 1, 2, 3);
    LEAVE();
}

static NOINLINE int
variable(int depth, int size)
{
    char *room = alloca((size_t)size + 1);
    int array[size % 31 + 1];
    int sum;

    ENTER();
    memset(room, 1, (size_t)size);
    array[size % 31] = size;
    __asm__ volatile("" ::"r"(room), "r"(array) : "memory");
    sum = depth ? variable(depth - 1, size * 5 % 701) : spin(15);
    sum += room[0] + array[size % 31];
    LEAVE();
    return sum;
}

static void
shape_alloca(void)
{
    ENTER();
    sink = variable(15, 17);
    LEAVE();
}

/* Over-aligned locals: the frame finds its caller through another register. */
static NOINLINE double
aligned(int depth, int size)
{
    double lanes[16] __attribute__((aligned(64)));
    char *room = depth & 1 ? alloca((size_t)size) : NULL;
    double sum = 0;

    ENTER();
    for (int i = 0; i < 16; i++)
        lanes[i] = depth + i;
    __asm__ volatile("" ::"r"(lanes), "r"(room) : "memory");
    sum += depth ? aligned(depth - 1, size + 8) : spin(15);
    for (int i = 0; i < 16; i++)
        sum += lanes[i] * lanes[15 - i];
    LEAVE();
    return sum;
}

static NOINLINE double
aligned_arguments(double a, double b, double c, int d, int e, int f, int g, int h,
                  int i, int depth)
{
    double lanes[8] __attribute__((aligned(128)));
    double sum;

    ENTER();
    for (int k = 0; k < 8; k++)
        lanes[k] = a + b + c + d + e + f + g + h + i + k;
    __asm__ volatile("" ::"r"(lanes) : "memory");
    sum = depth ? aligned_arguments(b, c, a, e, f, g, h, i, d, depth - 1)
                : aligned(5, 100);
    sum += lanes[depth & 7];
    LEAVE();
    return sum;
}

static __attribute__((unused)) void
shape_aligned(void)
{
    ENTER();
    sink = aligned(9, 64) + aligned_arguments(1, 2, 3, 4, 5, 6, 7, 8, 9, 6);
    LEAVE();
}

static NOINLINE __attribute__((cold)) int
rare(int n)
{
    int sum;

    ENTER();
    sum = spin(n & 7);
    LEAVE();
    return sum;
}

static NOINLINE int
split(int n)
{
    int sum = 0;

    ENTER();
    for (int i = 0; i < n; i++)
        if (__builtin_expect(i % 3 == 0, 0)) {
            sum += rare(i) + rare(sum);
            sum ^= rare(n);
        }
    LEAVE();
    return sum;
}

static void
shape_cold(void)
{
    ENTER();
    sink = split(40);
    LEAVE();
}

static NOINLINE int
compare(const void *a, const void *b)
{
    int order;

    ENTER();
    order = *(const int *)a - *(const int *)b;
    LEAVE();
    return order;
}

static void
shape_libc(void)
{
    static char from[4096], to[4096];
    int values[50];
    char text[100];

    ENTER();
    for (int i = 0; i < 50; i++)
        values[i] = i * 37 % 53;
    qsort(values, 50, sizeof(values[0]), compare);
    for (size_t i = 1; i < 4000; i += 397)
        memcpy(to + i % 5, from, i);
    sink = sin(values[3]) + pow(values[4], 0.3) + (double)strlen(to);
    snprintf(text, sizeof(text), "%d %g %s", values[1], sink, "text");
    free(malloc((size_t)values[9] * 100));
    LEAVE();
}

static void
shape_vdso(void)
{
    struct timespec t;

    ENTER();
    for (int i = 0; i < 50; i++)
        clock_gettime(CLOCK_MONOTONIC, &t);
    sink = (double)t.tv_nsec;
    LEAVE();
}

static NOINLINE void
on_user(int sig)
{
    ENTER();
    if (sig == SIGUSR1)
        raise(SIGUSR2);
    sink = tree(4, 1, 2, 3);
    LEAVE();
}

static void
shape_signals(void)
{
    ENTER();
    raise(SIGUSR1);
    raise(SIGUSR2);
    LEAVE();
}

static NOINLINE __attribute__((noreturn)) void
never(int n)
{
    ENTER();
    spin(n);
    me->valid = 0;
    siglongjmp(back, 1);
}

/* Ends with a call that does not return. */
static NOINLINE void
at_the_end(int depth)
{
    ENTER();
    if (depth)
        at_the_end(depth - 1);
    never(30);
}

static void
shape_noreturn(void)
{
    u32 n;

    ENTER();
    n = me->n;
    if (sigsetjmp(back, 0) == 0)
        at_the_end(4);
    me->n = n;
    me->valid = 1;
    spin(5);
    LEAVE();
}

/* An interpreter whose dispatch is computed gotos. */
static NOINLINE int
interpret(const unsigned char *code, int depth)
{
    static const void *const labels[] = { &&add, &&call, &&loop, &&end };
    int acc = 0, turns = 12;
    const unsigned char *pc = code;

    ENTER();
    goto *labels[*pc++];
add:
    acc += spin(3);
    goto *labels[*pc++];
call:
    if (depth > 0)
        acc += interpret(code, depth - 1);
    goto *labels[*pc++];
loop:
    if (--turns > 0)
        pc = code;
    goto *labels[*pc++];
end:
    LEAVE();
    return acc;
}

static void
shape_interpreter(void)
{
    static const unsigned char code[] = { 0, 0, 1, 0, 2, 3 };

    ENTER();
    sink = interpret(code, 2);
    LEAVE();
}

static NOINLINE int tail_a(int n, int sum);

static NOINLINE int
tail_b(int n, int sum)
{
    ENTER();
    sum += spin(5);
    LEAVE();
    return n ? tail_a(n - 1, sum) : sum;
}

static NOINLINE int
tail_a(int n, int sum)
{
    ENTER();
    sum ^= spin(4);
    LEAVE();
    return tail_b(n, sum);
}

static void
shape_tail(void)
{
    ENTER();
    sink = tail_a(20, 1);
    LEAVE();
}

/* Coroutines, each with a small stack of its own. */
static ucontext_t scheduler, coroutine;
static char *coroutine_stack;

static NOINLINE void
leave_coroutine(void)
{
    me->valid = 0;
    swapcontext(&coroutine, &scheduler);
    me->valid = 1;
}

static void
coroutine_main(void)
{
    me->n = 0;
    me->base = 1;
    me->valid = 1;
    ENTER();
    for (;;) {
        sink = tree(3, 1, 2, 3);
        leave_coroutine();
    }
}

static void
enter_coroutine(void)
{
    static struct shadow inner;
    struct shadow *mine = me;

    mine->valid = 0;
    if (!inner.walk) {
        inner = *mine;
        inner.samples = inner.wrong = 0;
    }
    me = &inner;
    inner.extra = LOOSE;
    swapcontext(&scheduler, &coroutine);
    inner.valid = 0;
    me = mine;
    me->samples += inner.samples;
    me->wrong += inner.wrong;
    inner.samples = inner.wrong = 0;
    me->valid = 1;
}

static void
make_coroutine(size_t size, ucontext_t *link)
{
    coroutine_stack = self_map(size + 8192) + 4096;
    mprotect(coroutine_stack - 4096, 4096, PROT_NONE);
    mprotect(coroutine_stack + size, 4096, PROT_NONE);
    getcontext(&coroutine);
    coroutine.uc_stack.ss_sp = coroutine_stack;
    coroutine.uc_stack.ss_size = size;
    coroutine.uc_link = link;
    makecontext(&coroutine, coroutine_main, 0);
}

static void
shape_coroutine(void)
{
    ENTER();
    for (int i = 0; i < 4; i++) {
        enter_coroutine();
        sink = tree(3, 3, 2, 1);
    }
    LEAVE();
}

/*
 * The same on a stack that begins as Boost.Context's do: with a place that no call
 * precedes, in code that says nothing of its frames.
 */
__asm__(".text\n"
        ".type on_context, @function\n"
        "on_context:\n" /* (stack, function) */
        "    push %rbp\n"
        "    push %rbx\n"
        "    mov %rsp, context_back(%rip)\n"
        "    mov %rdi, %rsp\n"
        "    lea 1f(%rip), %rax\n"
        "    push %rax\n"
        "    jmp *%rsi\n"
        "1:  xor %rdi, %rdi\n"
        "    call _exit@plt\n"
        "    hlt\n"
        ".size on_context, . - on_context\n"
        ".type off_context, @function\n"
        "off_context:\n"
        "    mov context_back(%rip), %rsp\n"
        "    pop %rbx\n"
        "    pop %rbp\n"
        "    ret\n"
        ".size off_context, . - off_context\n");
void on_context(char *stack, void (*function)(void));
void off_context(void) __attribute__((noreturn));
u64 context_back;

static NOINLINE void
context_main(void)
{
    me->n = 0;
    me->base = 1;
    me->valid = 1;
    ENTER();
    sink = tree(3, 1, 2, 3);
    me->valid = 0;
    off_context();
}

static void
shape_context(void)
{
    u32 n = me->n, base = me->base;
    char *stack = self_map(65536);

    me->valid = 0;
    on_context(stack + 65536, context_main);
    me->n = n;
    me->base = base;
    me->valid = 1;
    munmap(stack, 65536);
}

/* Assembly that says nothing of its frames. */
__asm__(".text\n"
        ".type asm_leaf, @function\n"
        "asm_leaf:\n"
        "    mov $40, %ecx\n"
        "1:  dec %ecx\n"
        "    jnz 1b\n"
        "    ret\n"
        ".size asm_leaf, . - asm_leaf\n"
        ".type asm_frame, @function\n"
        "asm_frame:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    sub $64, %rsp\n"
        "    call *%rdi\n"
        "    leave\n"
        "    ret\n"
        ".size asm_frame, . - asm_frame\n"
        ".type asm_push, @function\n"
        "asm_push:\n"
        "    push %rbx\n"
        "    push %r12\n"
        "    sub $40, %rsp\n"
        "    call *%rdi\n"
        "    add $40, %rsp\n"
        "    pop %r12\n"
        "    pop %rbx\n"
        "    ret\n"
        ".size asm_push, . - asm_push\n");
/* As OpenBLAS's kernels are: a large frame on a page of its own, rbx what sp was. */
__asm__(".text\n"
        ".type asm_aligned, @function\n"
        "asm_aligned:\n"
        "    sub $96, %rsp\n"
        "    mov %rbx, (%rsp)\n"
        "    mov %rbp, 8(%rsp)\n"
        "    mov %rsp, %rbx\n"
        "    sub $28800, %rsp\n"
        "    and $-4096, %rsp\n"
        "    mov $2000, %ebp\n"
        "    movl $1, (%rdi)\n"
        "1:  dec %ebp\n"
        "    jnz 1b\n"
        "    movl $0, (%rdi)\n"
        "    mov %rbx, %rsp\n"
        "    mov (%rsp), %rbx\n"
        "    mov 8(%rsp), %rbp\n"
        "    add $96, %rsp\n"
        "    ret\n"
        ".size asm_aligned, . - asm_aligned\n");
void asm_aligned(volatile int *in_its_frame);
void asm_leaf(void);
void asm_frame(void (*f)(void));
void asm_push(void (*f)(void));

static NOINLINE void
called_back(void)
{
    ENTER();
    spin(30);
    LEAVE();
}

/* Called through a pointer: only the frame itself says where it returns to. */
static void
shape_asm_aligned(void)
{
    void (*volatile function)(volatile int *) = asm_aligned;

    ENTER();
    me->valid = 0;
    for (int i = 0; i < 20; i++)
        function(&me->valid);
    me->valid = 1;
    LEAVE();
}

static void
shape_asm_leaf(void)
{
    ENTER();
    for (int i = 0; i < 10; i++)
        asm_leaf();
    LEAVE();
}

static void
shape_asm_frame(void)
{
    ENTER();
    asm_frame(called_back);
    LEAVE();
}

static void
shape_asm_push(void)
{
    ENTER();
    asm_push(called_back);
    LEAVE();
}

/* The collector's own functions, called by the target and calling it. */
static NOINLINE void
plain_callback(void)
{
    spin(30);
    __asm__ volatile("");
}

static OURS void
hidden(void (*f)(void), int depth)
{
    if (depth)
        hidden(f, depth - 1);
    else
        f();
    __asm__ volatile("");
}

static void
shape_hidden(void)
{
    ENTER();
    hidden(plain_callback, 3);
    LEAVE();
}

/* A walk by call begins in the function that called the one which walks. */
static OURS u32
walk_by_call(u64 *caller)
{
    *caller = (u64)(uintptr_t)__builtin_return_address(0);
    return sig_walk_here(me->walk);
}

static NOINLINE void
check_call(void)
{
    u64 caller, pcs[SHADOW];
    u32 flags[SHADOW];
    u32 id = walk_by_call(&caller);
    int valid = me->valid;

    me->valid = 0;
    if (self_stack(id, pcs, flags, SHADOW) == 0 || pcs[0] != caller || flags[0] != 0)
        me->wrong++;
    check(id);
    me->valid = valid;
}

static void
shape_call(void)
{
    ENTER();
    check_call();
    LEAVE();
}

/* Handlers that jump out of the walks that they interrupted. */
static void
shape_escape(void)
{
    u32 n;
    u64 caller;

    ENTER();
    n = me->n;
    if (sigsetjmp(back, 1) == 0) {
        escaping = 1;
        for (int i = 0; i < 300; i++)
            walk_by_call(&caller);
        escaping = 0;
    }
    me->n = n;
    me->valid = 0;
    walk_by_call(&caller);
    walk_by_call(&caller);
    me->samples++;
    me->wrong += walk_info(me->walk)->reused == 0 || walk_info(me->walk)->dropped != 0;
    me->valid = 1;
    LEAVE();
}

/* A call through a null pointer: there is no code at the leaf. */
static void
on_segv(int sig, siginfo_t *info, void *uc)
{
    (void)sig;
    (void)info;
    check(sig_walk(me->walk, uc));
    me->valid = 0;
    siglongjmp(back, 1);
}

static void (*volatile nowhere)(void);

static NOINLINE void
call_nowhere(void)
{
    ENTER();
    nowhere();
    LEAVE();
}

static void
shape_null(void)
{
    u32 n;

    ENTER();
    n = me->n;
    if (sigsetjmp(back, 1) == 0)
        call_nowhere();
    me->n = n;
    me->valid = 1;
    LEAVE();
}

static void
use_alternate_stack(void)
{
    stack_t stack = { .ss_sp = self_map(ALTERNATE), .ss_size = ALTERNATE };

    sigaltstack(&stack, NULL);
}

static void
catch(int sig, void (*plain)(int), void (*full)(int, siginfo_t *, void *), int flags)
{
    struct sigaction sa = { .sa_flags = flags | SA_RESTART };

    if (plain) {
        sa.sa_handler = plain;
    } else {
        sa.sa_sigaction = full;
        sa.sa_flags |= SA_SIGINFO;
    }
    if (sigaction(sig, &sa, NULL))
        abort();
}

static struct shadow *
new_shadow(u32 base)
{
    struct shadow *s = self_map(sizeof(*s));

    s->base = base;
    s->walk = self_walk(WALK_FRAMES);
    return s;
}

static void *
small_thread(void *arg)
{
    (void)arg;
    me = new_shadow(2 + LOOSE);
    use_alternate_stack();
    measure("thread", shape_tree, 1);
    return NULL;
}

static void
run_small_thread(void)
{
    pthread_attr_t attr;
    pthread_t thread;

    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, PTHREAD_STACK_MIN);
    if (pthread_create(&thread, &attr, small_thread, NULL))
        abort();
    pthread_join(thread, NULL);
}

/* Deep recursion: the walk's depth and its root, against the number of calls. */
static struct walk *deep_walk;
static u32 deep_node;

static NOINLINE void
deep_end(void)
{
    deep_node = sig_walk_here(deep_walk);
}

static NOINLINE int
deep(int depth)
{
    int result = 1;

    if (depth > 1)
        result += deep(depth - 1);
    else
        deep_end();
    __asm__ volatile("" : "+r"(result));
    return result;
}

static void
run_deep(int depth)
{
    const struct walk_info *info = walk_info(me->walk);
    u32 base, wrong;

    deep_walk = me->walk;
    deep(1);
    base = info->depth;
    for (int i = 0; i < 3; i++)
        deep(depth);
    wrong = info->depth != base + (u32)depth - 1 || info->end != WALK_ROOT ||
            deep_node == 0 ||
            (info->omitted != 0) != (info->depth > WALK_FRAMES);
    printf("deep-%d samples 1 wrong %u\n", depth, wrong);
}

static const struct {
    const char *name;
    void (*shape)(void);
    u32 extra;
    int flags; /* of the user's signals */
} shapes[] = {
    { "tree", shape_tree, 1, 0 },
    { "alloca", shape_alloca, 1, 0 },
/* Without CFI nothing tells of such a frame's first and last instructions. */
#if defined(__GCC_HAVE_DWARF2_CFI_ASM) || defined(__clang__)
    { "aligned", shape_aligned, 1, 0 },
#endif
    { "cold", shape_cold, 1, 0 },
    { "libc", shape_libc, LOOSE, 0 },
    { "vdso", shape_vdso, LAZY, 0 },
    { "signals", shape_signals, LOOSE, 0 },
    { "signals-onstack", shape_signals, LOOSE, SA_ONSTACK },
    { "noreturn", shape_noreturn, LAZY, 0 },
    { "interpreter", shape_interpreter, 1, 0 },
#ifdef __OPTIMIZE__
    { "tail", shape_tail, 1, 0 },
#endif
    { "context", shape_context, LOOSE, 0 },
    { "asm-leaf", shape_asm_leaf, 1, 0 },
    { "asm-aligned", shape_asm_aligned, 1, 0 },
    { "asm-frame", shape_asm_frame, 2, 0 },
    { "asm-push", shape_asm_push, 2, 0 },
    { "hidden", shape_hidden, 2, 0 },
    { "call", shape_call, LOOSE, 0 },
    { "escape", shape_escape, LOOSE, 0 },
    { "null", shape_null, LOOSE, 0 },
};

static void
run_coroutines(void)
{
    static ucontext_t link;

    make_coroutine(4096, NULL);
    measure("coroutine", shape_coroutine, LOOSE);
    make_coroutine(16384, &link);
    measure("coroutine-link", shape_coroutine, LOOSE);
}

static void
hide_ours(void)
{
    struct objtab_object o;

    if (!objtab_find((u64)(uintptr_t)__start_ours_code, &o))
        abort();
    o.lo = (u64)(uintptr_t)__start_ours_code;
    o.hi = (u64)(uintptr_t)__stop_ours_code;
    o.flags = OBJTAB_OURS;
    if (loaded_add(&o))
        abort();
}

/* The first call of a function, which binds it, has frames that nobody notes. */
static void
bind_early(void)
{
    volatile size_t none = 0;

    memset(me->ra, 0, none);
}

int
main(int argc, char **argv)
{
    const char *only = argc > 2 ? argv[2] : NULL;

    debug = argc > 3;
    milliseconds = argc > 1 ? (u64)atoi(argv[1]) : 100;
    self_start();
    hide_ours();
    me = new_shadow(0);
    bind_early();
    use_alternate_stack();
    catch(SIGURG, NULL, on_sample, SA_ONSTACK);
    catch(SIGSEGV, NULL, on_segv, SA_ONSTACK);
    deep_walk = me->walk;
    deep(1);
    me->base = walk_info(me->walk)->depth; /* main and its callers, and measure() */
    for (u32 i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        if (only && strcmp(only, shapes[i].name))
            continue;
        catch(SIGUSR1, on_user, NULL, shapes[i].flags);
        catch(SIGUSR2, on_user, NULL, shapes[i].flags);
        measure(shapes[i].name, shapes[i].shape, shapes[i].extra);
    }
    if (!only || !strcmp(only, "coroutine"))
        run_coroutines();
    if (!only || !strcmp(only, "thread"))
        run_small_thread();
    if (!only || !strcmp(only, "deep")) {
        run_deep(1000);
        run_deep(8192);
        run_deep(16380);
        run_deep(100000);
    }
    return 0;
}
