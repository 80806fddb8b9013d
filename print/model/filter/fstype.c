/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/filter/fstype.h"

#include <stdio.h>

/* File systems by the numbers in linux/magic.h and statfs(2). */
static const struct {
    u64 magic;
    const char *name;
} fstypes[] = {
    { 0xef53, "ext4" },          { 0x01021994, "tmpfs" },      { 0x58465342, "xfs" },
    { 0x9123683e, "btrfs" },     { 0x794c7630, "overlay" },    { 0x6969, "nfs" },
    { 0x9fa0, "proc" },          { 0x62656572, "sysfs" },      { 0x50495045, "pipe" },
    { 0x534f434b, "socket" },    { 0x1cd1, "devpts" },         { 0x858458f6, "ramfs" },
    { 0x73717368, "squashfs" },  { 0x65735546, "fuse" },       { 0xff534d42, "cifs" },
    { 0xfe534d42, "smb2" },      { 0x01021997, "9p" },         { 0x4d44, "vfat" },
    { 0x27e0eb, "cgroup" },      { 0x63677270, "cgroup2" },    { 0x64626720, "debug" },
    { 0x74726163, "tracefs" },   { 0x958458f6, "hugetlbfs" },  { 0x09041934, "anon" },
    { 0x2fc12fc1, "zfs" },       { 0xf2f52010, "f2fs" },       { 0x00c36400, "ceph" },
    { 0x2011bab0, "exfat" },     { 0x9660, "iso9660" },        { 0x5346544e, "ntfs" },
    { 0x7366746e, "ntfs3" },     { 0xe0f5e1e2, "erofs" },      { 0x19800202, "mqueue" },
    { 0x0bd00bd0, "lustre" },    { 0x47504653, "gpfs" },       { 0xcafe4a11, "bpf" },
    { 0xca451a4e, "bcachefs" },  { 0x6a656a63, "virtiofs" },
};

const char *
fstype_name(u64 fstype, char *buf, size_t size)
{
    for (u32 i = 0; i < ER_COUNT(fstypes); i++)
        if (fstypes[i].magic == fstype)
            return fstypes[i].name;
    if (!fstype)
        return "";
    snprintf(buf, size, "0x%llx", (unsigned long long)fstype);
    return buf;
}
