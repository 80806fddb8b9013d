/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program with an OMPT tool of its own, which checks that regions begin in the
 * program's code. Prints the number of regions that it has seen.
 *
 * build: name=clang cc=clang -O1 -g -fopenmp -fno-optimize-sibling-calls -rdynamic
 * link: -ldl
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEEP __attribute__((noinline))

static int regions, elsewhere;

static void
on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *region,
            unsigned int threads, int flags, const void *pc)
{
    Dl_info info, own;

    (void)task;
    (void)frame;
    (void)region;
    (void)threads;
    (void)flags;
    regions++;
    if (!dladdr(pc, &info) || !dladdr(&regions, &own) ||
        strcmp(info.dli_fname, own.dli_fname) != 0)
        elsewhere++;
}

static int
begin(ompt_function_lookup_t find, int device, ompt_data_t *data)
{
    ompt_set_callback_t set = (ompt_set_callback_t)find("ompt_set_callback");

    (void)device;
    (void)data;
    set(ompt_callback_parallel_begin, (ompt_callback_t)(void *)on_parallel);
    return 1;
}

static void
end(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *
ompt_start_tool(unsigned int version, const char *runtime)
{
    static ompt_start_tool_result_t result = { begin, end, { 0 } };

    (void)version;
    (void)runtime;
    return &result;
}

static KEEP void
run_region(void)
{
    int volatile sum = 0;

#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        sum++;
    }
    if (sum != 2)
        exit(1);
}

int
main(void)
{
    for (int i = 0; i < 10; i++)
        run_region();
    printf("regions %d, begun elsewhere %d\n", regions, elsewhere);
    return 0;
}
