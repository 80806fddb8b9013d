/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/elfid.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PHDR_MAX = 1024,
    NOTE_BYTES = 4096, /* of a note segment, at most */
};

static void
take_note(struct elfid *id, const unsigned char *desc, size_t len)
{
    for (size_t i = 0; i < len && i < ELFID_BYTES; i++)
        sprintf(id->buildid + 2 * i, "%02x", desc[i]);
}

static size_t
align4(size_t n)
{
    return (n + 3) & ~(size_t)3;
}

void
elfid_notes(struct elfid *id, const void *text, size_t len)
{
    const unsigned char *note = text;
    size_t at = 0;
    Elf64_Nhdr nh;

    while (at + sizeof(nh) <= len) {
        size_t name, desc;

        memcpy(&nh, note + at, sizeof(nh));
        name = at + sizeof(nh);
        desc = name + align4(nh.n_namesz);
        if (nh.n_namesz > NOTE_BYTES || nh.n_descsz > NOTE_BYTES ||
            desc + nh.n_descsz > len)
            return;
        if (nh.n_type == NT_GNU_BUILD_ID && nh.n_namesz == 4 &&
            !memcmp(note + name, "GNU", 4))
            take_note(id, note + desc, nh.n_descsz);
        at = desc + align4(nh.n_descsz);
    }
}

static void
notes(int fd, const Elf64_Phdr *ph, struct elfid *id)
{
    unsigned char text[NOTE_BYTES];
    size_t want = ph->p_filesz < sizeof(text) ? ph->p_filesz : sizeof(text);
    ssize_t len = pread(fd, text, want, (off_t)ph->p_offset);

    elfid_notes(id, text, len > 0 ? (size_t)len : 0);
}

/* Of a 32-bit file, in the other form. */
static int
read_header(int fd, Elf64_Ehdr *eh)
{
    Elf32_Ehdr narrow;

    if (pread(fd, eh, sizeof(*eh), 0) != sizeof(*eh) ||
        memcmp(eh->e_ident, ELFMAG, SELFMAG))
        return -ENOEXEC;
    if (eh->e_ident[EI_CLASS] == ELFCLASS64)
        return eh->e_phentsize == sizeof(Elf64_Phdr) ? 0 : -ENOEXEC;
    memcpy(&narrow, eh, sizeof(narrow));
    eh->e_phoff = narrow.e_phoff;
    eh->e_phnum = narrow.e_phnum;
    return narrow.e_ident[EI_CLASS] == ELFCLASS32 &&
                   narrow.e_phentsize == sizeof(Elf32_Phdr) ? 0 : -ENOEXEC;
}

static int
read_phdr(int fd, const Elf64_Ehdr *eh, u32 i, Elf64_Phdr *ph)
{
    int is_wide = eh->e_ident[EI_CLASS] == ELFCLASS64;
    size_t size = is_wide ? sizeof(*ph) : sizeof(Elf32_Phdr);
    Elf32_Phdr narrow;

    if (pread(fd, is_wide ? (void *)ph : (void *)&narrow, size,
              (off_t)(eh->e_phoff + i * size)) != (ssize_t)size)
        return -ENOEXEC;
    if (!is_wide)
        *ph = (Elf64_Phdr){ .p_type = narrow.p_type,
                            .p_flags = narrow.p_flags,
                            .p_offset = narrow.p_offset,
                            .p_vaddr = narrow.p_vaddr,
                            .p_filesz = narrow.p_filesz,
                            .p_memsz = narrow.p_memsz };
    return 0;
}

static int
headers(int fd, u64 offset, struct elfid *id)
{
    Elf64_Ehdr eh;
    Elf64_Phdr ph;

    if (read_header(fd, &eh) < 0 || eh.e_phnum > PHDR_MAX)
        return -ENOEXEC;
    for (u32 i = 0; i < eh.e_phnum; i++) {
        if (read_phdr(fd, &eh, i, &ph) < 0)
            return -ENOEXEC;
        if (ph.p_type == PT_NOTE)
            notes(fd, &ph, id);
        /* A mapping begins at the page of its segment's first byte. */
        if (ph.p_type == PT_LOAD && offset + 0xfff >= ph.p_offset &&
            offset < ph.p_offset + ph.p_filesz && (ph.p_flags & PF_X)) {
            id->vaddr = ph.p_vaddr - ph.p_offset + offset;
            id->known = 1;
        }
    }
    return 0;
}

int
elfid_look(const char *path, dev_t dev, ino_t inode, u64 offset, struct elfid *id)
{
    struct elfid found = { .known = 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), ret = 0;

    if (fd < 0)
        return -errno;
    if (fstat(fd, &found.st) < 0)
        ret = -errno;
    else if (found.st.st_dev != dev || found.st.st_ino != inode)
        ret = -ESTALE;
    else
        ret = headers(fd, offset, &found);
    close(fd);
    if (ret == 0)
        *id = found;
    return ret;
}
