/* SPDX-License-Identifier: Apache-2.0 */
/* Build-id and addresses of an ELF file, which may be hostile. Normal context. */
#ifndef ERTOOLS_INSPECT_ELFID_H
#define ERTOOLS_INSPECT_ELFID_H

#include <sys/stat.h>

#include "share/types.h"

enum {
    ELFID_BYTES = 64, /* bytes of a build-id; longer ones are cut off */
};

struct elfid {
    char buildid[2 * ELFID_BYTES + 1]; /* hex, "" = none */
    u64 vaddr; /* link-time address of the file offset asked for */
    int known; /* vaddr is set */
    struct stat st;
};

/*
 * Read path, which should be the file dev/inode, and find the link-time address of the
 * byte at offset. Returns 0, even if no segment with code has that offset (id->known is
 * 0); or -errno (-ESTALE: path is another file by now; -ENOEXEC).
 */
int elfid_read(const char *path, dev_t dev, ino_t inode, u64 offset, struct elfid *id);

/*
 * Set id->buildid from the notes of an ELF file, `len` bytes at `text`, if they have
 * one.
 */
void elfid_read_notes(struct elfid *id, const void *text, size_t len);

#endif
