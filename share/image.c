/* SPDX-License-Identifier: Apache-2.0 */
#include "share/image.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "share/types.h"

enum {
    HEAD_BYTES = 1024, /* has most programs' headers and loader's name: one read */
    PHDR_MAX = 1024,
    DATA_PARTS = 4,
    GO_SEARCHED = 65536, /* bytes of each writable segment */
};

/* A program's file: its first bytes are here; others are read when needed. */
struct source {
    int fd;
    size_t len;
    unsigned char head[HEAD_BYTES] __attribute__((aligned(8)));
};

/*
 * Copy `size` bytes from offset `at` of the file. 1; 0: the file does not have them
 * all.
 */
static int
get(const struct source *s, void *to, size_t size, u64 at)
{
    if (at < s->len && size <= s->len - at) {
        memcpy(to, s->head + at, size);
        return 1;
    }
    return pread(s->fd, to, size, (off_t)at) == (ssize_t)size;
}

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/*
 * Does this process have other rights than its user? Then all programs that it starts
 * are secure.
 */
static int
is_raised(void)
{
    return geteuid() != getuid() || getegid() != getgid();
}

/*
 * Does the kernel start the program as secure, so that the loader ignores LD_PRELOAD?
 */
static int
is_secure(int fd)
{
    struct stat st;
    struct statfs fs;
    int gives;

    if (is_raised())
        return 1;
    if (fstat(fd, &st) < 0)
        return 0;
    gives = ((st.st_mode & S_ISUID) && st.st_uid != getuid()) ||
            ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) &&
             st.st_gid != getgid());
    if (!gives)
        gives = getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
    return gives && !(fstatfs(fd, &fs) == 0 && (fs.f_flags & ST_NOSUID)) &&
           prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1;
}

/* Which loader the program names: musl's or another one, by the end of its path. */
static enum image_kind
loader(const struct source *s, const Elf64_Phdr *ph)
{
    char name[IMAGE_LINE];
    size_t want = ph->p_filesz < sizeof(name) ? ph->p_filesz : sizeof(name) - 1;

    if (want <= 1)
        return IMAGE_DAMAGED;
    if (!get(s, name, want, ph->p_offset)) {
        ssize_t len = pread(s->fd, name, want, (off_t)ph->p_offset);

        if (len <= 1)
            return IMAGE_DAMAGED;
        want = (size_t)len;
    }
    name[want] = '\0';
    return strncmp(base_name(name), "ld-musl", 7) ? IMAGE_DYNAMIC : IMAGE_MUSL;
}

/* Does the program need a library? The list ends with DT_NULL, or with its segment. */
static int
needs_library(const struct source *s, const Elf64_Phdr *ph)
{
    Elf64_Dyn entry;

    for (u64 at = 0; at + sizeof(entry) <= ph->p_filesz; at += sizeof(entry)) {
        if (!get(s, &entry, sizeof(entry), ph->p_offset + at) ||
            entry.d_tag == DT_NULL)
            return 0;
        if (entry.d_tag == DT_NEEDED)
            return 1;
    }
    return 0;
}

/*
 * Does the beginning of a segment contain the head of Go's build information? It is on
 * a 16-byte boundary (debug/buildinfo), and so never in two blocks.
 */
static int
has_go_info(const struct source *s, const Elf64_Phdr *ph)
{
    static const char magic[] = "\xff Go buildinf:";
    u64 size = ph->p_filesz < GO_SEARCHED ? ph->p_filesz : GO_SEARCHED;
    char data[512];

    for (u64 at = 0; at < size; at += sizeof(data)) {
        ssize_t len = pread(s->fd, data, sizeof(data), (off_t)(ph->p_offset + at));

        if (len <= 0)
            return 0;
        if (memmem(data, (size_t)len, magic, sizeof(magic) - 1))
            return 1;
    }
    return 0;
}

/* The program headers that matter here. */
struct parts {
    Elf64_Phdr loader;
    Elf64_Phdr dynamic;
    Elf64_Phdr data[DATA_PARTS]; /* writable segments */
    u32 ndata;
};

static int
read_parts(const struct source *s, const Elf64_Ehdr *eh, struct parts *parts)
{
    for (u32 i = 0; i < eh->e_phnum; i++) {
        Elf64_Phdr ph;

        if (!get(s, &ph, sizeof(ph), eh->e_phoff + i * sizeof(ph)))
            return 0;
        if (ph.p_type == PT_INTERP)
            parts->loader = ph;
        else if (ph.p_type == PT_DYNAMIC)
            parts->dynamic = ph;
        else if (ph.p_type == PT_LOAD && ph.p_flags & PF_W &&
                 parts->ndata < DATA_PARTS)
            parts->data[parts->ndata++] = ph;
    }
    return 1;
}

static int
is_bare_go(const struct source *s, const struct parts *parts)
{
    if (needs_library(s, &parts->dynamic))
        return 0;
    for (u32 i = 0; i < parts->ndata; i++)
        if (has_go_info(s, &parts->data[i]))
            return 1;
    return 0;
}

static enum image_kind
segments(const struct source *s, const Elf64_Ehdr *eh, const char *name)
{
    struct parts parts;
    enum image_kind kind;

    memset(&parts, 0, sizeof(parts));
    if (eh->e_phentsize != sizeof(Elf64_Phdr) || eh->e_phnum > PHDR_MAX ||
        !read_parts(s, eh, &parts))
        return IMAGE_DAMAGED;
    if (parts.loader.p_type) {
        kind = loader(s, &parts.loader);
        return kind == IMAGE_DYNAMIC && is_bare_go(s, &parts) ? IMAGE_GO : kind;
    }
    /*
     * The dynamic loader can be run as a program, which names no loader, but loads the
     * collector.
     */
    if (eh->e_type == ET_DYN && !strncmp(base_name(name), "ld-linux", 8))
        return IMAGE_DYNAMIC;
    return IMAGE_STATIC;
}

/*
 * Is the address space too small for the collector, by the limits of this process,
 * which the program inherits?
 */
static int
is_cramped(void)
{
    enum { LEAST = 20 << 20 }; /* our libraries have 9 MiB, libc and its loader 3 */
    struct rlimit space, data;

    return getrlimit(RLIMIT_AS, &space) == 0 && getrlimit(RLIMIT_DATA, &data) == 0 &&
           (space.rlim_cur < LEAST || data.rlim_cur < LEAST);
}

static enum image_kind
elf(const struct source *s, const char *name)
{
    enum image_kind kind;
    Elf64_Ehdr eh;

    if (s->len < sizeof(eh))
        return IMAGE_DAMAGED;
    memcpy(&eh, s->head, sizeof(eh));
    if (eh.e_ident[EI_CLASS] == ELFCLASS32)
        return IMAGE_NARROW;
    if (eh.e_ident[EI_CLASS] != ELFCLASS64)
        return IMAGE_DAMAGED;
    if (eh.e_ident[EI_DATA] != ELFDATA2LSB || eh.e_machine != EM_X86_64)
        return IMAGE_FOREIGN;
    if (is_secure(s->fd))
        return IMAGE_SECURE;
    kind = segments(s, &eh, name);
    return kind == IMAGE_DYNAMIC && is_cramped() ? IMAGE_CRAMPED : kind;
}

/* Get the interpreter's path from a script's first line, such as `#! /bin/sh -e`. */
static enum image_kind
script(const struct source *s, char interpreter[IMAGE_LINE])
{
    size_t len = s->len < IMAGE_LINE ? s->len : IMAGE_LINE, n;
    const char *line = (const char *)s->head + 2;
    const char *end = (const char *)s->head + len;

    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    for (n = 0; line + n < end; n++)
        if (strchr(" \t\n", line[n]))
            break;
    if (n == 0)
        return IMAGE_TEXT;
    memcpy(interpreter, line, n);
    interpreter[n] = '\0';
    return IMAGE_SCRIPT;
}

enum image_kind
image_read(int fd, const char *name, char interpreter[IMAGE_LINE])
{
    struct source s;
    ssize_t len = pread(fd, s.head, sizeof(s.head), 0);

    if (len < 0)
        return IMAGE_UNREAD;
    s.fd = fd;
    s.len = (size_t)len;
    if (len >= 4 && !memcmp(s.head, ELFMAG, SELFMAG))
        return elf(&s, name);
    if (len > 2 && s.head[0] == '#' && s.head[1] == '!')
        return script(&s, interpreter);
    return IMAGE_TEXT;
}

/*
 * Open a program by its path, and get its parts. 1; 0: it cannot be read, or is not a
 * 64-bit program. The caller closes s->fd unless it is -1.
 */
static int
open_program(const char *path, struct source *s, struct parts *parts)
{
    Elf64_Ehdr eh;
    ssize_t len;

    memset(parts, 0, sizeof(*parts));
    s->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (s->fd < 0)
        return 0;
    len = pread(s->fd, s->head, sizeof(s->head), 0);
    s->len = len > 0 ? (size_t)len : 0;
    return get(s, &eh, sizeof(eh), 0) && !memcmp(eh.e_ident, ELFMAG, SELFMAG) &&
           eh.e_ident[EI_CLASS] == ELFCLASS64 &&
           eh.e_phentsize == sizeof(Elf64_Phdr) && eh.e_phnum <= PHDR_MAX &&
           read_parts(s, &eh, parts);
}

int
image_is_go(const char *path)
{
    struct source s;
    struct parts parts;
    int is_go = 0;

    if (open_program(path, &s, &parts))
        for (u32 i = 0; i < parts.ndata && !is_go; i++)
            is_go = has_go_info(&s, &parts.data[i]);
    if (s.fd >= 0)
        close(s.fd);
    return is_go;
}

int
image_loader(const char *path, char *loader, size_t size)
{
    struct source s;
    struct parts parts;
    size_t len = 0;

    if (open_program(path, &s, &parts) && parts.loader.p_filesz < size &&
        get(&s, loader, parts.loader.p_filesz, parts.loader.p_offset))
        len = parts.loader.p_filesz;
    if (s.fd >= 0)
        close(s.fd);
    loader[len] = '\0';
    return loader[0] == '/';
}

int
image_loads(enum image_kind kind)
{
    return kind == IMAGE_DYNAMIC || kind == IMAGE_UNREAD;
}

const char image_unhanded[] = "what started it is sampled from outside, too";
const char image_no_reach[] = "the collector or its experiment is out of its reach";

const char *
image_reason(enum image_kind kind)
{
    static const char *const reasons[IMAGE_KINDS] = {
        [IMAGE_DYNAMIC] = "its loader did not start it",
        [IMAGE_UNREAD] = "its file cannot be read",
        [IMAGE_SCRIPT] = "its interpreters go round in a circle",
        [IMAGE_TEXT] = "it is no program",
        [IMAGE_STATIC] = "it is statically linked",
        [IMAGE_NARROW] = "it is a 32-bit program",
        [IMAGE_FOREIGN] = "it is a program for another kind of machine",
        [IMAGE_SECURE] = "it starts with other rights (setuid, setgid, capabilities)",
        [IMAGE_MUSL] = "it runs on musl, and the collector needs glibc",
        [IMAGE_GO] = "it is a Go program without cgo, which goes past libc",
        [IMAGE_DAMAGED] = "its ELF headers make no sense",
        [IMAGE_CRAMPED] = "its memory is limited to less than 20 MiB",
    };

    return reasons[kind];
}

enum image_kind
image_of_reason(const char *reason)
{
    int kind = 0;

    while (kind < IMAGE_KINDS && reason != image_reason((enum image_kind)kind))
        kind++;
    return (enum image_kind)kind;
}

int
image_is_walked(enum image_kind kind)
{
    return kind == IMAGE_STATIC || kind == IMAGE_MUSL || kind == IMAGE_GO ||
           kind == IMAGE_NARROW;
}

static const char *
remedy(enum image_kind kind)
{
    static const char *const remedies[IMAGE_KINDS] = {
        [IMAGE_STATIC] = "; link it dynamically",
        [IMAGE_NARROW] = "; build it for 64 bits",
        [IMAGE_FOREIGN] = "; build it for x86-64",
        [IMAGE_SECURE] = "; run a copy of it, as the user whose rights it takes",
        [IMAGE_MUSL] = "; build it for glibc",
        [IMAGE_GO] = "; build it with cgo",
        [IMAGE_CRAMPED] = "; raise the limit (ulimit -v, -d)",
    };

    return remedies[kind] ? remedies[kind] : "";
}

const char *
image_remedy(const char *reason)
{
    if (!strcmp(reason, image_no_reach))
        return "; run collect as the user that it runs as";
    for (int kind = 0; kind < IMAGE_KINDS; kind++)
        if (!strcmp(reason, image_reason((enum image_kind)kind)))
            return remedy((enum image_kind)kind);
    return "";
}
