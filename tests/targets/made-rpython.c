/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 */
/*
 * Code as the JIT compiler of RPython makes it, copied to memory: frames of one size,
 * with a record in each that links them, bp pointing into the heap, and helpers that
 * the code calls. Its jumps are such that no path to a return can be read from it.
 *
 *   made-rpython SECONDS
 *
 * main calls outer(), that enters a first frame, which enters a second one by a helper,
 * which calls spin() by another helper; and so on.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* What bp points to: it is in the heap. */
struct frame {
    void *helper; /* 0: calls `call` with `argument` */
    void *call;   /* 8 */
    void *argument;
    void *leave; /* 24: where the function's end is */
};

__asm__(".text\n"
        "rp_begin:\n"
        "rp_enter:\n"
        "    sub $0xb8, %rsp\n"
        "    mov %rbp, 0x60(%rsp)\n"
        "    mov %rsi, 0xb0(%rsp)\n"
        "    lea 0x98(%rsp), %rax\n"
        "    mov %rsp, 8(%rax)\n"
        "    movq $3, 0x10(%rax)\n"
        "    mov %rdi, %rbp\n"
        "    mov %rbx, 0x68(%rsp)\n"
        "    mov $300000, %ebx\n"
        "1:  dec %ebx\n"
        "    jnz 1b\n"
        "    call *(%rbp)\n"
        "    mov $300000, %ebx\n"
        "1:  dec %ebx\n"
        "    jnz 1b\n"
        "    jmp *24(%rbp)\n"
        "    ud2\n"
        "rp_leave:\n"
        "    mov 0x68(%rsp), %rbx\n"
        "    mov 0x60(%rsp), %rbp\n"
        "    add $0xb8, %rsp\n"
        "    ret\n"
        "    ud2\n"
        "rp_helper:\n"
        "    sub $0x38, %rsp\n"
        "    mov 16(%rbp), %rdi\n"
        "    call *8(%rbp)\n"
        "    lea 1f(%rip), %rax\n"
        "    jmp *%rax\n"
        "    ud2\n"
        "1:  add $0x38, %rsp\n"
        "    ret\n"
        "    ud2\n"
        "rp_end:\n");
extern const char rp_begin[], rp_enter[], rp_leave[], rp_helper[], rp_end[];

static char *made;

static void *
place(const char *symbol)
{
    return made + (symbol - rp_begin);
}

__attribute__((noinline)) void
spin(unsigned *count)
{
    for (volatile unsigned i = 0; i < 200000; i++)
        ;
    ++*count;
}

__attribute__((noinline)) void
outer(struct frame *frame)
{
    ((void (*)(struct frame *, void *))place(rp_enter))(frame, NULL);
    __asm__ volatile("");
}

int
main(int argc, char **argv)
{
    double seconds = argc > 1 ? atof(argv[1]) : 1;
    struct frame *frames = calloc(2, sizeof(*frames));
    clock_t end = clock() + (clock_t)(seconds * CLOCKS_PER_SEC);
    unsigned count = 0;

    made = mmap(NULL, 65536, PROT_READ | PROT_WRITE | PROT_EXEC,
                MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (made == MAP_FAILED || !frames)
        return 1;
    memcpy(made, rp_begin, (size_t)(rp_end - rp_begin));
    for (int i = 0; i < 2; i++) {
        frames[i].helper = place(rp_helper);
        frames[i].leave = place(rp_leave);
    }
    frames[0].call = place(rp_enter);
    frames[0].argument = &frames[1];
    frames[1].call = (void *)spin;
    frames[1].argument = &count;
    while (clock() < end)
        outer(frames);
    printf("%d\n", count > 0);
    free(frames);
    return 0;
}
