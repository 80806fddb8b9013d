/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/mpirank.h"

#include <errno.h>
#include <string.h>

#include "collector/preload/environ.h"

u32
mpirank_of(char **envp)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "MV2_COMM_WORLD_RANK",
    };

    for (u32 i = 0; i < ER_COUNT(names); i++) {
        const char *value = environ_get(envp, names[i]);
        u32 n = 0;

        if (!value || !*value)
            continue;
        while (*value >= '0' && *value <= '9' && n < 100000000)
            n = n * 10 + (u32)(*value++ - '0');
        return *value ? 0 : n + 1;
    }
    return 0;
}

int
mpirank_is_starter(u64 wanted)
{
    static const char *const starters[] = {
        "mpirun", "mpiexec", "orterun", "orted", "prte", "prted", "prterun", "prun",
        "hydra_pmi_proxy", "hydra_bstrap_proxy",
    };
    const char *program = program_invocation_short_name;

    for (u32 i = 0; wanted == 1 && i < ER_COUNT(starters); i++) {
        size_t len = strlen(starters[i]);

        /* Distributions append the library's name: mpirun.openmpi. */
        if (!strncmp(program, starters[i], len) &&
            (!program[len] || program[len] == '.' || program[len] == '-'))
            return 1;
    }
    return wanted > 1;
}
