/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/mpi/mpi_abi.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stddef.h>

#include "collector/hook/trace.h"
#include "collector/libc/resolve.h"

enum {
    VERSION_BYTES = 8192 + 1, /* no library's version text is longer */
    NAME_BYTES = 96,
};

struct mpi_abi mpi_abi;
struct mpi_real mpi_real;

static char library[NAME_BYTES];

static const struct {
    const char *name;
    size_t offset;
} wanted[] = {
#define WANT(name) { "PMPI_" #name, offsetof(struct mpi_real, name) }
    WANT(Type_size_x), WANT(Comm_test_inter), WANT(Comm_size), WANT(Comm_remote_size),
    WANT(Comm_rank), WANT(Comm_group), WANT(Comm_remote_group), WANT(Comm_get_parent),
    WANT(Comm_get_name), WANT(Group_size), WANT(Group_translate_ranks),
    WANT(Group_free), WANT(Topo_test), WANT(Cartdim_get), WANT(Graph_neighbors_count),
    WANT(Dist_graph_neighbors_count), WANT(Request_get_status), WANT(Error_class),
    WANT(Initialized), WANT(Finalized), WANT(Query_thread), WANT(Get_library_version),
    /* From here on: functions that a library may lack. */
    WANT(Abi_get_version), WANT(Get_elements_c), WANT(Test_cancelled),
    WANT(Group_from_session_pset), WANT(Group_rank), WANT(Cart_shift),
    WANT(Graph_neighbors), WANT(Dist_graph_neighbors),
#undef WANT
};

enum { OPTIONAL = ER_COUNT(wanted) - 8 }; /* index of the first that may be lacking */

/*
 * Find a loaded MPI library that dlsym() does not find for us, since a plug-in has
 * loaded it. Prefers the main library to others of its names, such as libmpi_cxx.so.
 */
static int
each_object(struct dl_phdr_info *info, size_t size, void *arg)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    const char *base = slash ? slash + 1 : info->dlpi_name;

    (void)size;
    if (strncmp(base, "libmpi.so", 9) && strncmp(base, "libmpich.so", 11) &&
        strncmp(base, "libmpi_", 7) && strncmp(base, "libmpich_", 9))
        return 0;
    if (!strncmp(base, "libmpi_trace", 12))
        return 0;
    *(const char **)arg = info->dlpi_name;
    return !strncmp(base, "libmpi.so", 9) || !strncmp(base, "libmpich.so", 11);
}

static void *
hidden(void)
{
    static void *handle;
    const char *path = NULL;

    if (handle)
        return handle;
    dl_iterate_phdr(each_object, &path);
    if (path)
        handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    return handle;
}

void *
mpi_abi_find(const char *name)
{
    int saved = errno;
    void *found = resolve_next(name);

    if (!found && hidden())
        found = dlsym(hidden(), name);
    if (!found)
        (void)dlerror();
    errno = saved;
    return found;
}

static const struct mpi_abi mpich = {
    .status_bytes = 20,
    .at_source = 8,
    .at_tag = 12,
    .at_error = 16,
    .proc_null = -1,
    .any_source = -2,
    .any_tag = -1,
    .root = -3,
    .lock_exclusive = 234,
    .graph = 1,
    .cart = 2,
    .thread_multiple = 3,
    .comm_null = 0x04000000,
    .comm_world = 0x44000000,
    .comm_self = 0x44000001,
    .request_null = 0x2c000000,
    .win_null = 0x20000000,
    .no_op = 0x5800000e,
    .in_place = ~0ull,
    .status_ignore = 1,
    .statuses_ignore = 1,
};

static const struct mpi_abi openmpi = {
    .wide = 1,
    .status_bytes = 24,
    .at_source = 0,
    .at_tag = 4,
    .at_error = 8,
    .proc_null = -2,
    .any_source = -1,
    .any_tag = -1,
    .root = -4,
    .lock_exclusive = 1,
    .graph = 2,
    .cart = 1,
    .thread_multiple = 3,
    .in_place = 1,
};

/*
 * The address of a data symbol: that of the program's copy (COPY relocation) if it has
 * one. 0 = the symbol is not found.
 */
static u64
address(const char *name)
{
    void *found = dlsym(RTLD_DEFAULT, name);

    if (!found)
        (void)dlerror();
    return (u64)(uintptr_t)(found ? found : mpi_abi_find(name));
}

/* The interface of MPI 5, version 1, which fixes all these values. */
static const struct mpi_abi standard = {
    .wide = 1,
    .standard = 1,
    .status_bytes = 32,
    .at_source = 0,
    .at_tag = 4,
    .at_error = 8,
    .any_source = -1,
    .any_tag = -2,
    .proc_null = -3,
    .root = -4,
    .lock_exclusive = 301,
    .cart = 211,
    .graph = 212,
    .thread_multiple = 4096,
    .comm_null = 0x100,
    .comm_world = 0x101,
    .comm_self = 0x102,
    .win_null = 0x110,
    .request_null = 0x180,
    .no_op = 0x3d,
    .byte = 0x247,
    .in_place = 1,
};

static void
set_openmpi(struct mpi_abi *abi)
{
    *abi = openmpi;
    abi->comm_world = address("ompi_mpi_comm_world");
    abi->comm_self = address("ompi_mpi_comm_self");
    abi->comm_null = address("ompi_mpi_comm_null");
    abi->request_null = address("ompi_request_null");
    abi->win_null = address("ompi_mpi_win_null");
    abi->no_op = address("ompi_mpi_op_no_op");
}

/*
 * Take the library's name from the first line of its own text, cut at a comma or tab.
 */
static void
copy_name(const char *text)
{
    static const char label[] = "Version:";
    size_t len = strcspn(text, "\n,"), to = 0;

    for (size_t i = 0; i < len && to < sizeof(library) - 1; i++) {
        char c = text[i] == '\t' ? ' ' : text[i];

        if (!strncmp(text + i, label, sizeof(label) - 1)) {
            i += sizeof(label) - 2;
            continue;
        }
        if (c != ' ' || (to && library[to - 1] != ' '))
            library[to++] = c;
    }
    library[to] = '\0';
}

/*
 * 1 if the version text names MPICH or a library with its interface. Call only if the
 * library does not have the standard interface.
 */
static int
is_mpich(const char *text)
{
    static const char *const kin[] = { "MPICH", "Intel(R) MPI", "MVAPICH" };

    for (u32 i = 0; i < ER_COUNT(kin); i++)
        if (!strncmp(text, kin[i], strlen(kin[i])))
            return 1;
    return strstr(text, "MPICH") != NULL;
}

/*
 * The version of the standard interface; 0 = the library has an interface of its own.
 */
static int
standard_version(void)
{
    int major = 0, minor = 0;

    if (!mpi_real.Abi_get_version || mpi_real.Abi_get_version(&major, &minor) != 0)
        return 0;
    return major > 0 ? major : 0;
}

static int
choose(struct mpi_abi *abi, const char *text)
{
    int version = standard_version();

    if (version == 1 && mpi_real.Get_elements_c && mpi_real.Test_cancelled)
        *abi = standard;
    else if (version)
        return 0;
    else if (address("ompi_mpi_comm_world"))
        set_openmpi(abi);
    else if (is_mpich(text))
        *abi = mpich;
    else
        return 0;
    abi->known = 1;
    return 1;
}

int
mpi_abi_start(void)
{
    static char text[VERSION_BYTES];
    struct mpi_abi abi = { 0 };
    int len = 0;

    for (u32 i = 0; i < ER_COUNT(wanted); i++) {
        void *found = mpi_abi_find(wanted[i].name);

        if (!found && i < OPTIONAL)
            return 0;
        memcpy((char *)&mpi_real + wanted[i].offset, &found, sizeof(found));
    }
    if (mpi_real.Get_library_version(text, &len) != 0)
        return 0;
    copy_name(text);
    if (!choose(&abi, text))
        return 0;
    mpi_abi = abi;
    return 1;
}

const char *
mpi_abi_library(void)
{
    return library;
}

u64
mpi_status_bytes(const void *status)
{
    u32 low, high;
    u64 bytes;
    long count = 0;

    if (mpi_abi.standard)
        return mpi_real.Get_elements_c(status, mpi_abi.byte, &count) == 0 && count > 0
                   ? (u64)count : 0;
    if (mpi_abi.wide) {
        memcpy(&bytes, (const char *)status + 16, sizeof(bytes));
        return bytes;
    }
    low = (u32)mpi_status_int(status, 0);
    high = (u32)mpi_status_int(status, 4) >> 1;
    return (u64)high << 32 | low;
}

int
mpi_status_cancelled(const void *status)
{
    int flag = 0;

    if (mpi_abi.standard)
        return mpi_real.Test_cancelled(status, &flag) == 0 && flag;
    if (mpi_abi.wide)
        return mpi_status_int(status, 12) != 0;
    return mpi_status_int(status, 4) & 1;
}
