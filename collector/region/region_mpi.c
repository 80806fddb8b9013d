/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Phases that an MPI program marks by MPI_Pcontrol(): level 0 pauses recording, 1
 * resumes it, and a higher level begins a region. Each level but 0 ends the phase
 * before it. MPI leaves the meaning of the levels to tools, and does nothing itself.
 */
#include <dlfcn.h>
#include <errno.h>

#include "collector/libc/real.h"
#include "collector/preload/libcollector.h"
#include "collector/region/region.h"
#include "share/fmt.h"

typedef int pcontrol(int level, long a, long b, long c, long d, long e);

/* End the phase, unless regions within it are still open. */
static void
end_phase(struct region_thread *r, u64 sp)
{
    if (r->phase && r->phase == r->depth)
        region_end(r, trace_before(), sp);
    if (r->phase >= r->depth)
        r->phase = 0;
}

static void
begin_phase(struct region_thread *r, int level, const struct walk_start *start)
{
    struct region_name name;
    char text[32];
    struct fmt f = fmt_start(text, sizeof(text));

    fmt_str(&f, "MPI_Pcontrol ");
    fmt_u64(&f, (u64)level);
    region_name_cut(&name, text, (size_t)(f.at - text));
    region_begin(r, &name, start, 0);
    r->phase = r->depth;
}

/*
 * This thread's state, which is made only if a phase begins. NULL: it has none, or is
 * not recorded.
 */
static struct region_thread *
thread_for(int level)
{
    struct thread *t = gate_is_open() ? thread_self : NULL;
    struct region_thread *r = t ? t->region.own : NULL;

    if (level > 1)
        return region_thread();
    return r && r->pid == space_pid ? r : NULL;
}

static void
apply_level(struct region_thread *r, int level, const struct walk_start *start)
{
    if (r && level)
        end_phase(r, start->sp);
    if (level == 0)
        collector_pause();
    else if (level == 1)
        collector_resume();
    else if (r && level > 1)
        begin_phase(r, level, start);
}

/*
 * Call the next definition: another tool's, or the MPI library's. A tool's
 * MPI_Pcontrol() may call PMPI_Pcontrol().
 */
static int
pass_on(const char *name, int level, const long *a)
{
    int saved = errno;
    void *next = dlsym(RTLD_NEXT, name);

    errno = saved;
    return next ? ((pcontrol *)next)(level, a[0], a[1], a[2], a[3], a[4]) : 0;
}

/*
 * Define a hook. One of the two hooks may be called within the other; in_pcontrol keeps
 * such a call from being counted twice.
 */
#define PCONTROL(function)                                            \
    int function(int level, long a, long b, long c, long d, long e);  \
    WRAPPER int function(int level, long a, long b, long c, long d,   \
                         long e)                                      \
    {                                                                 \
        struct region_thread *r = thread_for(level);                  \
        const long more[] = { a, b, c, d, e };                        \
        struct walk_start start;                                      \
        int result;                                                   \
                                                                      \
        TRACE_CAPTURE(&start);                                        \
        if (!r || !r->in_pcontrol++)                                  \
            apply_level(r, level, &start);                                   \
        result = pass_on(#function, level, more);                     \
        if (r)                                                        \
            r->in_pcontrol--;                                         \
        return result;                                                \
    }

PCONTROL(MPI_Pcontrol)
PCONTROL(PMPI_Pcontrol)
