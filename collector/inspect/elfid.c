/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/elfid.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    PHDR_MAX = 1024,
    NOTE_BYTES = 4096, /* bytes of a note segment that are read, at most */
};

static void
set_build_id(struct elfid *id, const unsigned char *desc, size_t len)
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
elfid_read_notes(struct elfid *id, const void *text, size_t len)
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
            set_build_id(id, note + desc, nh.n_descsz);
        at = desc + align4(nh.n_descsz);
    }
}

static void
read_notes(int fd, const GElf_Phdr *ph, struct elfid *id)
{
    unsigned char text[NOTE_BYTES];
    size_t want = ph->p_filesz < sizeof(text) ? ph->p_filesz : sizeof(text);
    ssize_t len = pread(fd, text, want, (off_t)ph->p_offset);

    elfid_read_notes(id, text, len > 0 ? (size_t)len : 0);
}

static int
headers(int fd, Elf *elf, u64 offset, struct elfid *id)
{
    size_t count;
    GElf_Phdr ph;

    if (elf_kind(elf) != ELF_K_ELF || elf_getphdrnum(elf, &count) < 0 ||
        count > PHDR_MAX)
        return -ENOEXEC;
    for (size_t i = 0; i < count; i++) {
        if (!gelf_getphdr(elf, (int)i, &ph))
            return -ENOEXEC;
        if (ph.p_type == PT_NOTE)
            read_notes(fd, &ph, id);
        /*
         * Accept an offset up to a page before the segment: the mapping begins at the
         * start of the segment's first page.
         */
        if (ph.p_type == PT_LOAD && offset + 0xfff >= ph.p_offset &&
            offset < ph.p_offset + ph.p_filesz && (ph.p_flags & PF_X)) {
            id->vaddr = ph.p_vaddr - ph.p_offset + offset;
            id->known = 1;
        }
    }
    return 0;
}

static int
read_file(int fd, u64 offset, struct elfid *id)
{
    Elf *elf;
    int ret;

    elf_version(EV_CURRENT);
    elf = elf_begin(fd, ELF_C_READ, NULL);
    ret = headers(fd, elf, offset, id);
    elf_end(elf);
    return ret;
}

int
elfid_read(const char *path, dev_t dev, ino_t inode, u64 offset, struct elfid *id)
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
        ret = read_file(fd, offset, &found);
    close(fd);
    if (ret == 0)
        *id = found;
    return ret;
}
