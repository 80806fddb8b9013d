/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collector/attach/proc.h"

enum { PAGE = 4096, COPY_MOST = 1 << 28, PROGRAM_HEADERS = 64 };

/*
 * Functions in which a thread may hold a lock that pthread_create() needs, or may be
 * changing data that pthread_create() reads.
 */
static const char *const unsafe[] = {
    "malloc", "calloc", "realloc", "free", "memalign", "aligned_alloc", "valloc",
    "posix_memalign", "pvalloc", "cfree", "reallocarray", "malloc_trim", "malloc_info",
    "malloc_stats", "mallinfo", "mallinfo2", "mallopt", "malloc_usable_size",
    "pthread_create", "pthread_exit", "pthread_detach", "pthread_getattr_np",
    "pthread_setattr_default_np", "pthread_attr_setaffinity_np", "thrd_create",
    "thrd_exit", "fork", "_Fork", "vfork", "clone", "posix_spawn", "posix_spawnp",
    "system", "popen", "pclose", "dlopen", "dlmopen", "dlclose", "dlsym", "dlvsym",
    "dlerror", "dladdr", "dladdr1", "dlinfo", "dl_iterate_phdr", "exit", "_exit",
    "quick_exit", "__cxa_finalize", "__libc_freeres", "__register_atfork", "execve",
    "setuid", "setgid", "setresuid", "setresgid", "setgroups", "seteuid", "setegid",
    "setreuid", "setregid",
};

/*
 * Functions that wait for a thread's end without holding a lock, and take one only
 * afterwards.
 */
static const char *const waiting[] = {
    "pthread_join", "pthread_tryjoin_np", "pthread_timedjoin_np",
    "pthread_clockjoin_np", "thrd_join",
};

static int
listed(const char *const list[], size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(list[i], name))
            return 1;
    return 0;
}

/*
 * Where [at, at + bytes) of the object is in collect; at is a link-time address. NULL
 * if that is not all within the object.
 */
static const void *
piece(const struct remote_image *m, u64 at, u64 bytes)
{
    u64 offset = at + m->bias - m->lo;

    return offset < m->size && bytes <= m->size - offset ? m->local + offset : NULL;
}

/* Map the file's segments into m->local; each must be complete and fit into it. */
static int
map_file(struct remote_image *m, int fd, const Elf64_Phdr *ph, u32 n)
{
    struct stat st;

    if (fstat(fd, &st) < 0)
        return -errno;
    for (u32 i = 0; i < n; i++) {
        u64 skip = ph[i].p_vaddr & (PAGE - 1);
        u64 at = ph[i].p_vaddr - skip + m->bias - m->lo;

        if (ph[i].p_type != PT_LOAD || !ph[i].p_filesz)
            continue;
        if (at >= m->size || ph[i].p_filesz + skip > m->size - at ||
            ph[i].p_offset > (u64)st.st_size ||
            ph[i].p_filesz > (u64)st.st_size - ph[i].p_offset ||
            mmap(m->local + at, ph[i].p_filesz + skip, PROT_READ,
                 MAP_PRIVATE | MAP_FIXED, fd, (off_t)(ph[i].p_offset - skip)) ==
                MAP_FAILED)
            return -EINVAL;
    }
    return 0;
}

static int
open_file(pid_t pid, const struct proc_map *map)
{
    char name[PATH_MAX + 32];
    struct stat st;
    int fd;

    snprintf(name, sizeof(name), "/proc/%d/root%s", (int)pid, map->path);
    fd = open(name, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &st) == 0 && st.st_ino == map->inode)
        return fd;
    close(fd);
    return -ENOENT;
}

/* Read the program headers from the target's memory. How many, or -errno. */
static int
read_headers(pid_t pid, u64 lo, Elf64_Phdr ph[PROGRAM_HEADERS])
{
    Elf64_Ehdr eh;

    if (proc_read(pid, lo, &eh, sizeof(eh)) < 0)
        return -EFAULT;
    if (memcmp(eh.e_ident, ELFMAG, SELFMAG) || eh.e_ident[EI_CLASS] != ELFCLASS64 ||
        eh.e_phentsize != sizeof(*ph) || eh.e_phnum > PROGRAM_HEADERS)
        return -EINVAL;
    if (proc_read(pid, lo + eh.e_phoff, ph, eh.e_phnum * sizeof(*ph)) < 0)
        return -EFAULT;
    return eh.e_phnum;
}

static u64
table(const struct remote_image *m, u64 value)
{
    /*
     * A value of the dynamic section. In memory, the loader may have added the bias; in
     * the file it has not.
     */
    return value >= m->lo && value < m->hi ? value - m->bias : value;
}

/* How many symbols a GNU hash table at link-time address `at` knows of. */
static u64
count_symbols(const struct remote_image *m, u64 at)
{
    const u32 *head = piece(m, at, 16), *buckets, *chain;
    u64 last = 0;

    if (!head || !(buckets = piece(m, at + 16 + 8ull * head[2], 4ull * head[0])))
        return 0;
    for (u32 i = 0; i < head[0]; i++)
        if (buckets[i] > last)
            last = buckets[i];
    if (last < head[1])
        return head[1];
    at += 16 + 8ull * head[2] + 4ull * head[0];
    do
        chain = piece(m, at + 4 * (last++ - head[1]), 4);
    while (chain && !(*chain & 1));
    return last;
}

static void
read_dynamic(struct remote_image *m, const Elf64_Phdr *ph)
{
    u64 symbols = 0, strings = 0, gnu = 0, old = 0, n = ph->p_memsz / sizeof(Elf64_Dyn);
    const Elf64_Dyn *d = piece(m, ph->p_vaddr, ph->p_memsz);
    const u32 *head;

    for (u64 i = 0; d && i < n && d[i].d_tag != DT_NULL; i++) {
        if (d[i].d_tag == DT_SYMTAB)
            symbols = table(m, d[i].d_un.d_ptr);
        else if (d[i].d_tag == DT_STRTAB)
            strings = table(m, d[i].d_un.d_ptr);
        else if (d[i].d_tag == DT_STRSZ)
            m->strings_size = d[i].d_un.d_val;
        else if (d[i].d_tag == DT_GNU_HASH)
            gnu = table(m, d[i].d_un.d_ptr);
        else if (d[i].d_tag == DT_HASH)
            old = table(m, d[i].d_un.d_ptr);
    }
    head = old ? piece(m, old, 8) : NULL;
    m->symbol_count = head ? head[1] : gnu ? count_symbols(m, gnu) : 0;
    m->symbols = piece(m, symbols, m->symbol_count * sizeof(Elf64_Sym));
    m->strings = piece(m, strings, m->strings_size);
    if (!m->symbols || !m->strings)
        m->symbol_count = 0;
}

/*
 * The name of a function symbol; NULL: the symbol has none, is not a function, or is
 * not defined here.
 */
static const char *
function_name(const struct remote_image *m, const Elf64_Sym *s)
{
    u32 type = ELF64_ST_TYPE(s->st_info);
    const char *name = m->strings + s->st_name;

    if (!s->st_shndx || (type != STT_FUNC && type != STT_GNU_IFUNC) ||
        s->st_name >= m->strings_size ||
        !memchr(name, 0, m->strings_size - s->st_name))
        return NULL;
    return name;
}

u64
image_function(const struct remote_image *m, const char *name)
{
    for (u64 i = 0; i < m->symbol_count; i++) {
        const char *found = function_name(m, &m->symbols[i]);

        if (found && ELF64_ST_TYPE(m->symbols[i].st_info) == STT_FUNC &&
            !strcmp(found, name))
            return m->symbols[i].st_value + m->bias;
    }
    return 0;
}

static int
add_range(struct remote_image *m, const Elf64_Sym *s, enum image_code code)
{
    struct image_range *more =
        realloc(m->ranges, (m->range_count + 1) * sizeof(*m->ranges));

    if (!more)
        return -ENOMEM;
    m->ranges = more;
    more[m->range_count++] = (struct image_range){
        s->st_value + m->bias, s->st_value + m->bias + s->st_size, code };
    return 0;
}

const struct image_range *
image_range(const struct remote_image *m, u64 pc)
{
    for (u32 i = 0; i < m->range_count; i++)
        if (pc >= m->ranges[i].lo && pc < m->ranges[i].hi)
            return &m->ranges[i];
    return NULL;
}

/*
 * Is this a hook of ours that records a call? The hook's frame may stay on the stack
 * after collect has detached, until the call returns.
 */
static int
is_passing(const char *name)
{
    return !strcmp(name, "ertools_call_common") || !strncmp(name, "MPI_", 4) ||
           !strncmp(name, "PMPI_", 5);
}

/*
 * Add the ranges of functions of each kind. In an object that defines malloc(), C++'s
 * operators new and delete are unsafe, too.
 */
static int
add_ranges(struct remote_image *m)
{
    int ret = 0, has_malloc = image_function(m, "malloc") != 0;

    m->is_allocator = has_malloc && !m->is_libc && !m->is_main;
    for (u64 i = 0; i < m->symbol_count && ret == 0; i++) {
        const char *name = function_name(m, &m->symbols[i]);

        if (!name)
            continue;
        if (listed(unsafe, ER_COUNT(unsafe), name) ||
            (has_malloc && (!strncmp(name, "_Zn", 3) || !strncmp(name, "_Zd", 3))))
            ret = add_range(m, &m->symbols[i], CODE_UNSAFE);
        else if (listed(waiting, ER_COUNT(waiting), name))
            ret = add_range(m, &m->symbols[i], CODE_WAITING);
        else if (m->is_ours && is_passing(name))
            ret = add_range(m, &m->symbols[i], CODE_PASSING);
    }
    return ret;
}

/*
 * Is this a library of the collector? Only those define or import the symbol
 * ertools_services.
 */
static int
is_ours(const struct remote_image *m)
{
    static const char name[] = "ertools_services";

    for (u64 i = 0; i < m->symbol_count; i++)
        if (m->symbols[i].st_name < m->strings_size - sizeof(name) &&
            !memcmp(m->strings + m->symbols[i].st_name, name, sizeof(name)))
            return 1;
    return 0;
}

static void
name_kind(struct remote_image *m)
{
    const char *slash = strrchr(m->path, '/'), *name = slash ? slash + 1 : m->path;

    m->is_loader = !strncmp(name, "ld-linux", 8) || !strncmp(name, "ld-2.", 5);
    m->is_libc = !m->is_loader && image_function(m, "gnu_get_libc_version") != 0;
    m->is_ours = m->strings_size > 64 && is_ours(m);
}

static int
fill(struct remote_image *m, pid_t pid, const struct proc_map *first,
     const Elf64_Phdr *ph, u32 n)
{
    int fd = open_file(pid, first), ret = fd;

    m->local = mmap(NULL, m->size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (m->local == MAP_FAILED) {
        m->local = NULL;
        ret = -ENOMEM;
    } else if (fd >= 0) {
        ret = map_file(m, fd, ph, n);
    } else if (m->size <= COPY_MOST) {
        /*
         * The file was deleted, or cannot be opened from here, or there is none: copy
         * the memory.
         */
        for (u64 at = 0; at < m->size; at += PAGE)
            (void)proc_read(pid, m->lo + at, m->local + at, PAGE);
        ret = 0;
    }
    if (fd >= 0)
        close(fd);
    return ret;
}

/* Read the object whose file is mapped at `first`. 0 or -errno. */
static int
read_image(struct remote_image *m, pid_t pid, const struct proc_map *first)
{
    Elf64_Phdr ph[PROGRAM_HEADERS];
    u64 lowest = ~0ull, highest = 0;
    int n = read_headers(pid, first->lo, ph), ret;

    if (n < 0)
        return n;
    for (int i = 0; i < n; i++) {
        if (ph[i].p_type != PT_LOAD)
            continue;
        if (ph[i].p_vaddr < lowest)
            lowest = ph[i].p_vaddr & ~(u64)(PAGE - 1);
        if (ph[i].p_vaddr + ph[i].p_memsz > highest)
            highest = ph[i].p_vaddr + ph[i].p_memsz;
    }
    if (highest <= lowest || highest - lowest > 1ull << 40)
        return -EINVAL;
    m->lo = first->lo;
    m->bias = first->lo - lowest;
    m->size = (highest - lowest + PAGE - 1) & ~(u64)(PAGE - 1);
    m->hi = m->lo + m->size;
    snprintf(m->path, sizeof(m->path), "%s", first->path);
    ret = fill(m, pid, first, ph, (u32)n);
    if (ret < 0)
        return ret;
    for (int i = 0; i < n; i++) {
        if (ph[i].p_type == PT_DYNAMIC)
            read_dynamic(m, &ph[i]);
        if (ph[i].p_type == PT_GNU_EH_FRAME && piece(m, ph[i].p_vaddr, ph[i].p_memsz)) {
            m->hdr = (u64)(uintptr_t)piece(m, ph[i].p_vaddr, 1);
            m->hdr_size = ph[i].p_memsz;
        }
        if (ph[i].p_type == PT_LOAD && ph[i].p_flags & PF_X) {
            u64 lo = ph[i].p_vaddr + m->bias, hi = lo + ph[i].p_memsz;

            m->text_lo = m->text_lo && m->text_lo < lo ? m->text_lo : lo;
            m->text_hi = hi > m->text_hi ? hi : m->text_hi;
        }
    }
    name_kind(m);
    return 0;
}

/* Does the main program have a note of Go's linker? */
static int
has_go(const struct remote_image *m, pid_t pid)
{
    Elf64_Phdr ph[PROGRAM_HEADERS];
    int n = read_headers(pid, m->lo, ph);

    for (int i = 0; i < n; i++) {
        const char *note = ph[i].p_type == PT_NOTE && ph[i].p_filesz >= 16
                               ? piece(m, ph[i].p_vaddr, ph[i].p_filesz)
                               : NULL;

        if (note && !memcmp(note + 12, "Go", 3))
            return 1;
    }
    return 0;
}

/* Context for reading mappings: finds the first one of each file, and the vdso. */
struct reading {
    struct images *all;
    u64 entry; /* the main program's entry point */
};

static int
each_map(const struct proc_map *map, void *arg)
{
    struct reading *r = arg;
    struct images *all = r->all;
    struct remote_image *more, m = { 0 };
    int ret;

    if (map->offset || !map->readable ||
        (!map->inode && strcmp(map->path, "[vdso]") != 0) || map->path[0] == 0 ||
        (map->writable && !map->executable))
        return 0;
    ret = read_image(&m, all->pid, map);
    if (ret == -ENOMEM)
        return ret;
    if (ret == 0) {
        m.is_main = r->entry >= m.lo && r->entry < m.hi;
        all->is_go |= m.is_main && has_go(&m, all->pid);
        ret = add_ranges(&m);
    } else {
        ret = 0;
        if (m.local)
            munmap(m.local, m.size);
        return 0;
    }
    more = realloc(all->image, (all->count + 1) * sizeof(*all->image));
    if (!more || ret < 0)
        return -ENOMEM;
    all->image = more;
    all->image[all->count++] = m;
    return 0;
}

/* AT_ENTRY of /proc/PID/auxv; 0 = not known. */
static u64
entry_of(pid_t pid)
{
    char name[64];
    u64 pair[2], found = 0;
    FILE *f;

    snprintf(name, sizeof(name), "/proc/%d/auxv", (int)pid);
    f = fopen(name, "re");
    while (f && fread(pair, sizeof(pair), 1, f) == 1)
        if (pair[0] == AT_ENTRY)
            found = pair[1];
    if (f)
        fclose(f);
    return found;
}

int
images_read(struct images *all, pid_t pid)
{
    struct reading r = { all, entry_of(pid) };

    *all = (struct images){ .pid = pid };
    return proc_maps(pid, each_map, &r);
}

void
images_free(struct images *all)
{
    for (u32 i = 0; i < all->count; i++) {
        munmap(all->image[i].local, all->image[i].size);
        free(all->image[i].ranges);
    }
    free(all->image);
    *all = (struct images){ 0 };
}

struct remote_image *
images_at(const struct images *all, u64 pc)
{
    for (u32 i = 0; i < all->count; i++)
        if (pc >= all->image[i].text_lo && pc < all->image[i].text_hi)
            return &all->image[i];
    return NULL;
}

u64
images_syscall(const struct images *all)
{
    for (u32 i = 0; i < all->count; i++) {
        const struct remote_image *m = &all->image[i];
        const char *text = m->local + (m->text_lo - m->lo);

        if (!m->is_libc)
            continue;
        for (u64 at = 0; at + 1 < m->text_hi - m->text_lo; at++)
            if (text[at] == 0x0f && text[at + 1] == 0x05)
                return m->text_lo + at;
    }
    return 0;
}
