/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/preflight.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "share/types.h"

enum {
    HEAD_BYTES = 256, /* the kernel reads as much of a script's first line */
    SCRIPT_DEPTH = 5, /* the kernel's limit of nested interpreters */
    PHDR_MAX = 1024,
    GO_SEARCHED = 65536, /* bytes of a writable segment */
};

static const char *
base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Does the kernel mark its start as secure, so that LD_PRELOAD is not obeyed? */
static int
secure(int fd)
{
    struct stat st;
    struct statvfs fs;

    if (fstat(fd, &st) < 0 || (fstatvfs(fd, &fs) == 0 && (fs.f_flag & ST_NOSUID)))
        return 0;
    if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
        return 1;
    if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getgid())
        return 1;
    return getuid() != 0 && fgetxattr(fd, "security.capability", NULL, 0) > 0;
}

static enum preflight_kind
interpreter(int fd, const Elf64_Phdr *ph)
{
    char name[PATH_MAX];
    size_t want = ph->p_filesz < sizeof(name) ? ph->p_filesz : sizeof(name) - 1;
    ssize_t len = pread(fd, name, want, (off_t)ph->p_offset);

    if (len <= 1)
        return PREFLIGHT_DAMAGED;
    name[len] = '\0';
    return strncmp(base_name(name), "ld-musl", 7) ? PREFLIGHT_DYNAMIC : PREFLIGHT_MUSL;
}

/* A library that the program needs. The list ends with DT_NULL, or with its segment. */
static int
needs_library(int fd, const Elf64_Phdr *ph)
{
    Elf64_Dyn entry;

    for (u64 at = 0; at + sizeof(entry) <= ph->p_filesz; at += sizeof(entry)) {
        if (pread(fd, &entry, sizeof(entry), (off_t)(ph->p_offset + at)) !=
                sizeof(entry) ||
            entry.d_tag == DT_NULL)
            return 0;
        if (entry.d_tag == DT_NEEDED)
            return 1;
    }
    return 0;
}

/* The head of Go's description of a build is among the first data (debug/buildinfo). */
static int
has_go_info(int fd, const Elf64_Phdr *ph)
{
    static const char magic[] = "\xff Go buildinf:";
    static char data[GO_SEARCHED];
    u64 want = ph->p_filesz < sizeof(data) ? ph->p_filesz : sizeof(data);
    ssize_t len = pread(fd, data, want, (off_t)ph->p_offset);

    return len > 0 && memmem(data, (size_t)len, magic, sizeof(magic) - 1) != NULL;
}

static enum preflight_kind
segments(int fd, const Elf64_Ehdr *eh, const char *path)
{
    enum preflight_kind kind = PREFLIGHT_STATIC;
    int needs = 0, go = 0;

    if (eh->e_phentsize != sizeof(Elf64_Phdr) || eh->e_phnum > PHDR_MAX)
        return PREFLIGHT_DAMAGED;
    for (u32 i = 0; i < eh->e_phnum; i++) {
        Elf64_Phdr ph;

        if (pread(fd, &ph, sizeof(ph), (off_t)(eh->e_phoff + i * sizeof(ph))) !=
            sizeof(ph))
            return PREFLIGHT_DAMAGED;
        if (ph.p_type == PT_INTERP)
            kind = interpreter(fd, &ph);
        else if (ph.p_type == PT_DYNAMIC)
            needs = needs_library(fd, &ph);
        else if (ph.p_type == PT_LOAD && ph.p_flags & PF_W)
            go |= has_go_info(fd, &ph);
    }
    if (kind == PREFLIGHT_DYNAMIC && go && !needs)
        return PREFLIGHT_GO;
    /* The dynamic loader itself, run by name, has no loader either. */
    if (kind == PREFLIGHT_STATIC && eh->e_type == ET_DYN &&
        !strncmp(base_name(path), "ld-linux", 8))
        return PREFLIGHT_DYNAMIC;
    return kind;
}

static enum preflight_kind
elf(int fd, const unsigned char *head, size_t len, const char *path)
{
    Elf64_Ehdr eh;

    if (len < sizeof(eh))
        return PREFLIGHT_DAMAGED;
    memcpy(&eh, head, sizeof(eh));
    if (eh.e_ident[EI_CLASS] == ELFCLASS32)
        return PREFLIGHT_NARROW;
    if (eh.e_ident[EI_CLASS] != ELFCLASS64)
        return PREFLIGHT_DAMAGED;
    if (eh.e_ident[EI_DATA] != ELFDATA2LSB || eh.e_machine != EM_X86_64)
        return PREFLIGHT_FOREIGN;
    if (secure(fd))
        return PREFLIGHT_SECURE;
    return segments(fd, &eh, path);
}

/* The interpreter of `#! /bin/sh -e`. Returns 0 when there is none. */
static int
script(const unsigned char *head, size_t len, char program[PATH_MAX])
{
    const char *line = (const char *)head + 2, *end = (const char *)head + len;
    size_t n;

    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    for (n = 0; line + n < end; n++)
        if (strchr(" \t\n", line[n]))
            break;
    if (n == 0 || n >= PATH_MAX)
        return 0;
    memcpy(program, line, n);
    program[n] = '\0';
    return 1;
}

/* One file. Returns 1 when it is a script and result->program is its interpreter. */
static int
look_once(struct preflight *result)
{
    unsigned char head[HEAD_BYTES];
    int fd = open(result->program, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t len = fd < 0 ? -1 : read(fd, head, sizeof(head));
    int again = 0;

    if (len < 0) {
        result->kind = PREFLIGHT_UNREAD;
    } else if (len >= 4 && !memcmp(head, ELFMAG, SELFMAG)) {
        result->kind = elf(fd, head, (size_t)len, result->program);
    } else if (len > 2 && head[0] == '#' && head[1] == '!' &&
               script(head, (size_t)len, result->program)) {
        result->scripts++;
        again = 1;
    } else {
        result->shell = 1;
        strcpy(result->program, "/bin/sh");
        again = 1;
    }
    if (fd >= 0)
        close(fd);
    return again;
}

void
preflight_look(const char *path, struct preflight *result)
{
    memset(result, 0, sizeof(*result));
    strncpy(result->program, path, sizeof(result->program) - 1);
    for (int i = 0; i <= SCRIPT_DEPTH; i++)
        if (!look_once(result))
            return;
    result->kind = PREFLIGHT_UNREAD;
}

int
preflight_preload(const struct preflight *p)
{
    return p->kind == PREFLIGHT_DYNAMIC || p->kind == PREFLIGHT_UNREAD;
}

const char *
preflight_reason(enum preflight_kind kind)
{
    static const char *const reasons[PREFLIGHT_KINDS] = {
        [PREFLIGHT_DYNAMIC] = "its loader did not start it",
        [PREFLIGHT_UNREAD] = "its file cannot be read",
        [PREFLIGHT_STATIC] = "it is statically linked",
        [PREFLIGHT_NARROW] = "it is a 32-bit program",
        [PREFLIGHT_FOREIGN] = "it is a program for another kind of machine",
        [PREFLIGHT_SECURE] =
            "it starts with other rights (setuid, setgid, capabilities)",
        [PREFLIGHT_MUSL] = "it runs on musl, and the collector needs glibc",
        [PREFLIGHT_GO] = "it is a Go program without cgo, which goes past libc",
        [PREFLIGHT_DAMAGED] = "its ELF headers make no sense",
    };

    return reasons[kind];
}
