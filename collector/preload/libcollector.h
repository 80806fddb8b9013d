/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls by which a program can control the collector that records it. The program need
 * not be linked with any library. Without a collector the calls do nothing, so they may
 * stay in shipped code. Any thread, normal context. C and C++.
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

/*
 * As collector_pause() and collector_resume(), for one thread of this process; thread:
 * as pthread_self() returns it.
 */
void collector_thread_pause(unsigned long thread) COLLECTOR_CALL;
void collector_thread_resume(unsigned long thread) COLLECTOR_CALL;

/* End the recording for good; the program runs on. */
void collector_terminate_expt(void) COLLECTOR_CALL;

/*
 * Report code made at run time: a function `name` (`alias`: its mangled name, or NULL)
 * of `size` bytes at vaddr. Call it before the code runs, when the bytes are in place.
 * The source file may be NULL. The lines are in order of rising offset; each extends up
 * to the next.
 */
typedef struct {
    unsigned int offset; /* from vaddr */
    unsigned int lineno; /* 0 = no line */
} Lineno;

void collector_func_load(char *name, char *alias, char *sourcename, void *vaddr,
                         int size, int lntsize, Lineno *lntable) COLLECTOR_CALL;

/*
 * Report that the function will not run any more. Call this before its memory is
 * reused.
 */
void collector_func_unload(void *vaddr) COLLECTOR_CALL;

/*
 * A region: what this thread does from here to the matching end, under a name. Regions
 * nest. The name is copied, so it may be made at run time. next ends the innermost
 * region and begins another one in its place. Also in signal handlers.
 */
void collector_region_begin(const char *name) COLLECTOR_CALL;
void collector_region_next(const char *name) COLLECTOR_CALL;
void collector_region_end(void) COLLECTOR_CALL;

/* Give the innermost region a number or a text: "block 12", "417 rows". */
void collector_region_number(long long number) COLLECTOR_CALL;
void collector_region_text(const char *text) COLLECTOR_CALL;

/*
 * An interval need not nest: it may overlap others, and another thread may end it.
 * begin returns the number that end needs; 0 without a collector.
 */
unsigned long long collector_interval_begin(const char *name) COLLECTOR_CALL;
void collector_interval_end(unsigned long long interval) COLLECTOR_CALL;

#ifndef LIBCOLLECTOR_NO_MACROS
/*
 * The address of a function of the collector, NULL without a collector. In a program
 * linked to a fixed address, the linker would resolve a weak symbol to NULL; the GOT
 * leaves that to the loader.
 */
#if defined(__x86_64__) && !defined(__PIC__)
#define COLLECTOR_AT(call)                                        \
    __extension__({                                               \
        __typeof__(&call) collector_at_;                          \
        __asm__(".weak " #call "\n\tmovq " #call "@GOTPCREL(%%rip), %0" \
                : "=r"(collector_at_));                           \
        collector_at_;                                            \
    })
#else
#define COLLECTOR_AT(call) (&call)
#endif
#define COLLECTOR_DO(call, args, otherwise) \
    (COLLECTOR_AT(call) ? COLLECTOR_AT(call) args : otherwise)

#define collector_region_begin(name) \
    COLLECTOR_DO(collector_region_begin, (name), (void)(name))
#define collector_region_next(name) \
    COLLECTOR_DO(collector_region_next, (name), (void)(name))
#define collector_region_end() \
    COLLECTOR_DO(collector_region_end, (), (void)0)
#define collector_region_number(number) \
    COLLECTOR_DO(collector_region_number, (number), (void)(number))
#define collector_region_text(text) \
    COLLECTOR_DO(collector_region_text, (text), (void)(text))
#define collector_interval_begin(name) \
    COLLECTOR_DO(collector_interval_begin, (name), ((void)(name), 0ull))
#define collector_interval_end(interval) \
    COLLECTOR_DO(collector_interval_end, (interval), (void)(interval))
#define collector_sample(name) \
    COLLECTOR_DO(collector_sample, (name), (void)(name))
#define collector_pause() \
    COLLECTOR_DO(collector_pause, (), (void)0)
#define collector_resume() \
    COLLECTOR_DO(collector_resume, (), (void)0)
#define collector_thread_pause(thread) \
    COLLECTOR_DO(collector_thread_pause, (thread), (void)(thread))
#define collector_thread_resume(thread) \
    COLLECTOR_DO(collector_thread_resume, (thread), (void)(thread))
#define collector_terminate_expt() \
    COLLECTOR_DO(collector_terminate_expt, (), (void)0)
#define collector_func_load(name, alias, source, vaddr, size, lines, table)        \
    COLLECTOR_DO(collector_func_load,                                              \
                 (name, alias, source, vaddr, size, lines, table), (void)0)
#define collector_func_unload(vaddr) \
    COLLECTOR_DO(collector_func_unload, (vaddr), (void)0)
#endif

#ifdef __cplusplus
}

#ifndef LIBCOLLECTOR_NO_MACROS
/* A region that ends with its scope, also where an exception leaves it. */
class collector_region
{
public:
    explicit collector_region(const char *name) { collector_region_begin(name); }
    ~collector_region() { collector_region_end(); }
    void next(const char *name) { collector_region_next(name); }
    void number(long long number) { collector_region_number(number); }
    void text(const char *text) { collector_region_text(text); }

private:
    collector_region(const collector_region &);
    collector_region &operator=(const collector_region &);
};
#endif
#endif

#endif
