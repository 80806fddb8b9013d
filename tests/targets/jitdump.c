/* SPDX-License-Identifier: Apache-2.0 */
/* build: -O2 */
/*
 * Makes functions at run time and says so in ./jit-PID.dump, as `perf inject` reads it:
 * made_a, with lines; made_b in its place; made_b moved to another place. Each runs for
 * a while, called by call_a, call_b and call_c. With an argument, the file ends with a
 * record that cannot be one.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "made-code.h"

static FILE *dump;

/* Not alike, lest a compiler makes one of them. */
CALL(a, 0.3)
CALL(b, 0.31)
CALL(c, 0.32)

static void
put32(uint32_t value)
{
    fwrite(&value, sizeof(value), 1, dump);
}

static void
put64(uint64_t value)
{
    fwrite(&value, sizeof(value), 1, dump);
}

static void
put_head(uint32_t kind, size_t bytes)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    put32(kind);
    put32((uint32_t)bytes + 16);
    put64((uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec);
}

static void
put_load(const char *name, const void *at)
{
    put_head(0, 40 + strlen(name) + 1 + sizeof(code));
    put32((uint32_t)getpid());
    put32((uint32_t)getpid());
    put64((uintptr_t)at);
    put64((uintptr_t)at);
    put64(sizeof(code));
    put64(1);
    fwrite(name, strlen(name) + 1, 1, dump);
    fwrite(code, sizeof(code), 1, dump);
    fflush(dump);
}

static void
put_move(const void *from, const void *to)
{
    put_head(1, 48);
    put32((uint32_t)getpid());
    put32((uint32_t)getpid());
    put64((uintptr_t)to);
    put64((uintptr_t)from);
    put64((uintptr_t)to);
    put64(sizeof(code));
    put64(1);
    fflush(dump);
}

/* Two lines, the second one's source being the same. */
static void
put_lines(const void *at)
{
    static const char source[] = "/made.src", same[] = "\xff";

    put_head(2, 16 + 2 * 16 + sizeof(source) + sizeof(same));
    put64((uintptr_t)at);
    put64(2);
    put64((uintptr_t)at);
    put32(11);
    put32(0);
    fwrite(source, sizeof(source), 1, dump);
    put64((uintptr_t)at + 4);
    put32(22);
    put32(0);
    fwrite(same, sizeof(same), 1, dump);
    /* What comes between them and the function is skipped. */
    put_head(4, 24);
    put64(0);
    put64(0);
    put64(0);
}

static void
open_dump(void)
{
    char path[64];

    snprintf(path, sizeof(path), "jit-%d.dump", (int)getpid());
    dump = fopen(path, "w+");
    if (!dump)
        exit(3);
    put32(0x4a695444);
    put32(1);
    put32(40);
    put32(62);
    put32(0);
    put32((uint32_t)getpid());
    put64(0);
    put64(0);
    fflush(dump);
    if (mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(dump), 0) ==
        MAP_FAILED)
        exit(3);
}

int
main(int argc, char **argv)
{
    unsigned char *area = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *first = area + 64, *second = area + 512;

    (void)argv;
    open_dump();
    memcpy(first, code, sizeof(code));
    memcpy(second, code, sizeof(code));
    put_lines(first);
    put_load("made_a", first);
    call_a(first);
    put_load("made_b", first);
    call_b(first);
    put_move(first, second);
    if (argc > 1) {
        put32(0);
        put32(5);
        put64(0);
        fflush(dump);
    }
    call_c(second);
    return 0;
}
