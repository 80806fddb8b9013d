/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a program may ask of the collector that records it. Nothing to link: without a
 * collector the calls do nothing, so they may stay in shipped code. Any thread, normal
 * context. C and C++.
 */
#ifndef LIBCOLLECTOR_H
#define LIBCOLLECTOR_H

#ifdef __cplusplus
extern "C" {
#endif

#define COLLECTOR_CALL __attribute__((weak))

/* Record a sample point: the process's resource use, under this name. */
void collector_sample(char *name) COLLECTOR_CALL;

/* Record no events until collector_resume(); sample points are still recorded. */
void collector_pause(void) COLLECTOR_CALL;
void collector_resume(void) COLLECTOR_CALL;

/* End the recording for good; the program runs on. */
void collector_terminate_expt(void) COLLECTOR_CALL;

/*
 * Code made at run time: a function `name` (`alias`: as compilers name it, or NULL) of
 * `size` bytes begins at vaddr. Before it runs; the bytes must be there already. Its
 * source file, or NULL, and its lines, by rising offset; each lasts up to the next.
 */
typedef struct {
    unsigned int offset; /* from vaddr */
    unsigned int lineno; /* 0 = of no line */
} Lineno;

void collector_func_load(char *name, char *alias, char *sourcename, void *vaddr,
                         int size, int lntsize, Lineno *lntable) COLLECTOR_CALL;

/* It does not run any more: before its place gets another use. */
void collector_func_unload(void *vaddr) COLLECTOR_CALL;

#ifndef LIBCOLLECTOR_NO_MACROS
#define collector_sample(name) \
    (collector_sample ? collector_sample(name) : (void)(name))
#define collector_pause() (collector_pause ? collector_pause() : (void)0)
#define collector_resume() (collector_resume ? collector_resume() : (void)0)
#define collector_terminate_expt() \
    (collector_terminate_expt ? collector_terminate_expt() : (void)0)
#define collector_func_load(name, alias, source, vaddr, size, lines, table)     \
    (collector_func_load ? collector_func_load(name, alias, source, vaddr, size, \
                                               lines, table)                     \
                         : (void)0)
#define collector_func_unload(vaddr) \
    (collector_func_unload ? collector_func_unload(vaddr) : (void)0)
#endif

#ifdef __cplusplus
}
#endif

#endif
