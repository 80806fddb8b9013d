/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An OpenMP tool (OMPT) of the program's own. libomp tells it where in the program a
 * region begins, by the return address of libomp's function; so that function must be
 * called by the program itself. C cannot forward a call with a variable number of
 * arguments unchanged: hooks of such functions begin with a jump, to the runtime's
 * function if the program has a tool, or to our code if there is none.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>

#include "collector/libc/real.h"
#include "collector/omp/omp_real.h"
#include "collector/preload/environ.h"

const char *omp_tool_found;

/* The real functions, if the program has its own tool; else NULL. */
const void *omp_past_fork_call __attribute__((visibility("hidden")));
const void *omp_past_fork_teams __attribute__((visibility("hidden")));

#define JUMP(name, past, ours)                                       \
    __asm__(".pushsection .text\n"                                   \
            ".globl " #name "\n"                                     \
            ".type " #name ", @function\n" #name ":\n"               \
            ".cfi_startproc\n"                                       \
            "endbr64\n"                                              \
            "mov " #past "(%rip), %r11\n"                            \
            "test %r11, %r11\n"                                      \
            "jz " #ours "\n"                                         \
            "jmp *%r11\n"                                            \
            ".cfi_endproc\n"                                         \
            ".size " #name ", . - " #name "\n"                       \
            ".popsection\n")

JUMP(__kmpc_fork_call, omp_past_fork_call, omp_our_fork_call);
JUMP(__kmpc_fork_teams, omp_past_fork_teams, omp_our_fork_teams);

/*
 * Search for the program's own tool as the runtime does: for a function of the program,
 * or for libraries by name. Returns the reason for omp_other_tool(), or NULL.
 */
const char *
omp_find_tool(void)
{
    const char *on = environ_value("OMP_TOOL");
    const char *libraries = environ_value("OMP_TOOL_LIBRARIES");
    void *start = REAL(dlsym)(RTLD_DEFAULT, "ompt_start_tool");
    Dl_info info;

    if (on && !strcmp(on, "disabled"))
        return NULL;
    if (start && dladdr(start, &info) && info.dli_fname &&
        !omp_is_runtime(info.dli_fname))
        return "the program has a tool for it (ompt_start_tool)";
    if (libraries && *libraries)
        return "OMP_TOOL_LIBRARIES names a tool for it";
    return NULL;
}

void
omp_check_for_tool(const struct omp_real *runtime)
{
    const char *found;
    int saved = errno;

    if (runtime->__kmpc_fork_call && !omp_other_tool()) {
        found = omp_find_tool();
        if (found) {
            omp_past_fork_call = (const void *)(uintptr_t)runtime->__kmpc_fork_call;
            omp_past_fork_teams = (const void *)(uintptr_t)runtime->__kmpc_fork_teams;
        }
        __atomic_store_n(&omp_tool_found, found, __ATOMIC_RELEASE);
    }
    errno = saved;
}
