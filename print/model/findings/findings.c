/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/findings/findings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "print/base/pool.h"
#include "print/model/findings/sections.h"

const char *const finding_names[FINDING_KINDS] = {
    [FINDING_RUN] = "run",   [FINDING_PROGRAM] = "program",
    [FINDING_TIME] = "time", [FINDING_FUNCTION] = "function",
    [FINDING_LOCK] = "lock", [FINDING_FILE] = "file",
    [FINDING_CALL] = "call",
    [FINDING_HEAP] = "heap", [FINDING_MPI] = "mpi",
    [FINDING_OMP] = "openmp",
    [FINDING_COST] = "cost", [FINDING_MISSING] = "missing",
};

const char *const finding_titles[FINDING_KINDS] = {
    [FINDING_RUN] = "Run",    [FINDING_PROGRAM] = "Programs",
    [FINDING_TIME] = "Time",  [FINDING_FUNCTION] = "Functions",
    [FINDING_LOCK] = "Locks", [FINDING_FILE] = "Files",
    [FINDING_CALL] = "Calls",
    [FINDING_HEAP] = "Heap",  [FINDING_MPI] = "MPI",
    [FINDING_OMP] = "OpenMP",
    [FINDING_COST] = "Cost",  [FINDING_MISSING] = "Missing",
};

int
findings_get(struct session *session, struct findings *out)
{
    static int (*const sections[])(struct session *, struct findings *) = {
        sections_runs,  sections_time,    sections_functions, sections_locks,
        sections_files, sections_calls,   sections_heap,      sections_java,
        sections_mpi,   sections_regions, sections_cost,      sections_missing,
    };
    enum name_style names = session->names;
    struct findings f = { 0 };
    int ret = 0;

    session->names = NAME_BRIEF;
    for (u32 i = 0; i < ER_COUNT(sections) && ret == 0; i++)
        ret = sections[i](session, &f);
    session->names = names;
    if (ret == 0 && f.no_memory)
        ret = -ENOMEM;
    if (ret < 0) {
        findings_free(&f);
        return ret;
    }
    *out = f;
    return 0;
}

void
findings_free(struct findings *findings)
{
    for (u32 i = 0; i < findings->count; i++) {
        free(findings->row[i].sentence);
        free(findings->row[i].part);
    }
    free(findings->row);
    pool_free(findings->memory);
    memset(findings, 0, sizeof(*findings));
}
