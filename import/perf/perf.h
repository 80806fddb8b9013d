/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the files that read perf.data: the head of the file; its events; and the
 * tasks and mappings at the time of the record that is being read. Ordinary process
 * context. Numbers of perf's interface are those of perf_event_open(2), and of
 * perf.data-file-format.txt in the Linux sources.
 */
#ifndef ERTOOLS_IMPORT_PERF_PERF_H
#define ERTOOLS_IMPORT_PERF_PERF_H

#include "collector/outside/mirror.h"
#include "import/import.h"

/* Types of records that the kernel or perf itself writes. */
enum perf_record {
    RECORD_MMAP = 1,
    RECORD_LOST = 2,
    RECORD_COMM = 3,
    RECORD_EXIT = 4,
    RECORD_THROTTLE = 5,
    RECORD_FORK = 7,
    RECORD_SAMPLE = 9,
    RECORD_MMAP2 = 10,
    RECORD_LOST_SAMPLES = 13,
    RECORD_OWN = 64, /* from here on, perf's own records, which have no time */
    RECORD_HEADER_ATTR = 64,
    RECORD_TRACING_DATA = 66,
    RECORD_BUILD_ID = 67,
    RECORD_AUXTRACE = 71,
    RECORD_EVENT_UPDATE = 78,
    RECORD_FEATURE = 80,
    RECORD_COMPRESSED = 81,
    RECORD_COMPRESSED2 = 83, /* with a size that does not include padding */
};

enum perf_sample_type {
    SAMPLE_IP = 1,
    SAMPLE_TID = 2,
    SAMPLE_TIME = 4,
    SAMPLE_ADDR = 8,
    SAMPLE_READ = 16,
    SAMPLE_CALLCHAIN = 32,
    SAMPLE_ID = 64,
    SAMPLE_CPU = 128,
    SAMPLE_PERIOD = 256,
    SAMPLE_STREAM_ID = 512,
    SAMPLE_RAW = 1024,
    SAMPLE_BRANCH_STACK = 2048,
    SAMPLE_REGS_USER = 4096,
    SAMPLE_STACK_USER = 8192,
    SAMPLE_IDENTIFIER = 65536,
};

/* Low bits of a record's misc. */
enum perf_mode {
    MODE_MASK = 7,
    MODE_KERNEL = 1,
    MODE_USER = 2,
    MODE_GUEST_KERNEL = 4,
    MODE_GUEST_USER = 5,
};

enum perf_misc {
    MISC_EXEC = 1 << 13,     /* of COMM: because of an exec */
    MISC_BUILD_ID = 1 << 14, /* of MMAP2: has a build-id instead of an inode */
};

/* An event that was recorded. */
struct perf_event {
    u32 type;
    u64 config;
    u64 sample_type;
    u64 read_format;
    u64 branch_format;
    u64 regs_user; /* the registers in samples, one bit each */
    u64 period; /* the period if samples have none; 0 = it varies */
    u64 frequency; /* hits per second that were requested, 0 = none */
    bool sample_id_all;
    bool is_clock; /* its hits stand for CPU time */
    u32 counter;   /* else: number in import.h; IMPORT_COUNTERS = left out */
    const char *name; /* NULL = not known yet */
};

/* Which event an id means; samples have such ids. */
struct perf_id {
    u64 id;
    u32 event; /* index in perf.event */
};

struct perf_buildid {
    const char *name;    /* path */
    const char *buildid; /* hex digits */
};

struct perf_record_at {
    u64 time; /* ns; 0 = it has none */
    u64 at;   /* offset of the record in the file */
};

struct perf {
    struct import *im;
    struct bytes file;
    bool big;  /* byte order */
    bool pipe; /* records contain the head */
    u64 data;  /* offsets where records begin, and end */
    u64 data_end;
    struct perf_event *event;
    u32 nevents, events_room;
    struct perf_id *id;
    u32 nids, ids_room;
    struct hash ids;
    struct perf_buildid *buildid;
    u32 nbuildids, buildids_room;
    struct perf_record_at *record; /* the kernel's records, sorted by time */
    u32 nrecords, records_room;
    u64 base; /* ns: the time of records that have none */
    u64 read; /* bytes of records that were read since pages were given back */
    struct perf_packed *packed; /* compressed records, NULL = none */
    bool unpacked; /* `packed` has been decompressed */
    struct perf_tasks *tasks;
    struct perf_stacks *stacks; /* NULL: samples have no usable stack copies */
};

/* Sorts the records by time, those of one time by their place. 0 or -ENOMEM. */
int perf_sort(struct perf *p);

/*
 * Notes that `size` bytes of records were read. Now and then gives back the file's
 * pages, so that memory does not grow with the file's size.
 */
void perf_was_read(struct perf *p, u32 size);

/* How many of the fields in `mask` a record has. */
static inline u32
perf_fields(u64 type, u64 mask)
{
    return (u32)__builtin_popcountll(type & mask);
}

/*
 * Reads the head of a file; of a pipe, only checks the magic. 0; -ENOEXEC: another
 * format.
 */
int perf_head_read(struct perf *p);

/* Handles records in a pipe that are parts of the head. */
void perf_head_attr(struct perf *p, struct cursor record);
void perf_head_feature(struct perf *p, struct cursor record);
void perf_head_buildid(struct perf *p, struct cursor record);
void perf_head_update(struct perf *p, struct cursor record);

/*
 * Gives names and counters to all events; the head must have been read. 0 or -EBADMSG.
 */
int perf_head_settle(struct perf *p);

/*
 * Compressed records (perf record -z) are pieces of one stream, which perf_packed.c
 * collects. perf_packed_add(): adds a piece; false: no memory. perf_packed_unpack():
 * appends the decompressed records to p->file. 0; -EBADMSG and im->why; -ENOMEM.
 */
bool perf_packed_add(struct perf *p, struct bytes piece);
int perf_packed_unpack(struct perf *p);
void perf_packed_free(struct perf *p);

/* The event with this id, as samples and other records have it; NULL = none. */
const struct perf_event *perf_event_of(const struct perf *p, u64 id);

/* The build-id that the head gives for a file name; "" = not known. */
const char *perf_buildid_of(const struct perf *p, const char *name);

/* The user registers and the copy of the stack's top in a sample. */
struct perf_dump {
    u64 abi;  /* 0 = there are none */
    u64 mask; /* a bit for each register in `regs`, which begin with the lowest bit's */
    struct cursor regs;
    const unsigned char *stack; /* copy of the stack, from the stack pointer on */
    u64 stack_bytes;
};

struct perf_sample {
    u64 nbranches; /* the newest first, three words each */
    struct cursor branches;
    u64 ip;
    u32 pid;
    u32 tid;
    u64 period;
    u32 cpu;
    u64 nchain; /* frames, and marks of the kernel between them */
    struct cursor chain;
    struct perf_dump dump;
};

enum {
    PERF_CHAIN = 8192, /* frames; the kernel gives no more than 127 unless asked */
};

/* A stack, the leaf first. */
struct perf_chain {
    u64 pc[PERF_CHAIN];
    bool kernel[PERF_CHAIN];
    bool exact[PERF_CHAIN]; /* not a return address, but the instruction that ran */
    u32 count;
    bool cut; /* the stack has more frames */
};

/* The event of the sample whose body begins at c; NULL = not known. */
const struct perf_event *perf_sample_event(const struct perf *p, struct cursor c);

/* Reads a sample. False: its fields are longer than the record. */
bool perf_sample_read(const struct perf_event *event, struct cursor c,
                      struct perf_sample *out);

/* The stack that the kernel has walked. kernel: the sample hit in the kernel. */
void perf_sample_chain(const struct perf_sample *s, bool kernel,
                       struct perf_chain *out);

/* A mapping, as in a record. */
struct perf_mapping {
    u32 pid;
    u64 start, size, offset;
    const char *name;
    const char *buildid; /* "" = not in the record; the head may have it */
    u32 major, minor;
    u64 inode; /* 0 = not known */
    u64 time;
    bool kernel;
};

/*
 * The tasks (processes by id). perf_tasks_open(): 0 or -ENOMEM. Records that make no
 * sense are ignored.
 */
int perf_tasks_open(struct perf *p);
void perf_tasks_close(struct perf *p);
void perf_tasks_map(struct perf *p, const struct perf_mapping *m);
void perf_tasks_comm(struct perf *p, u32 pid, u32 tid, const char *name, bool exec,
                     u64 time);
void perf_tasks_fork(struct perf *p, u32 pid, u32 ppid, u32 tid, u64 time);
void perf_tasks_exit(struct perf *p, u32 pid, u32 tid, u64 time);

/*
 * Set hit->process and hit->thread to those of a sample, which are added if they are
 * new; false: no memory.
 */
bool perf_tasks_find(struct perf *p, u32 pid, u32 tid, u64 time,
                     struct import_hit *hit);

/*
 * The object of the process that contains an address; 0 = there is none. process: the
 * number in import.h of the task pid. kernel: the address is of kernel code.
 */
u32 perf_tasks_object(struct perf *p, u32 pid, u32 process, u64 pc, bool kernel,
                      u64 time);

/* Passes all mappings of a process to the unwinder, by perf_stacks_map(). */
void perf_tasks_map_all(struct perf *p, u32 pid);

/*
 * Open the unwinder for stack copies, if samples have any from x86-64. 0 or -ENOMEM.
 * close: also adds a note that says how many could not be unwound.
 */
int perf_stacks_open(struct perf *p);
void perf_stacks_close(struct perf *p);

/* Does the unwinder have the mappings of this process? */
bool perf_stacks_has(const struct perf *p, u32 process);

/* fd, bias: as for mirror_add_file(). */
void perf_stacks_map(struct perf *p, const struct mirror_mapping *mapping, int fd,
                     u64 bias);

/*
 * Unwinds the copy of the stack in a sample; the resulting frames replace those of user
 * code in *out. If there is no copy, *out does not change; if unwinding fails, out->cut
 * is set.
 */
void perf_stacks_unwind(struct perf *p, const struct perf_sample *s, u32 process,
                        struct perf_chain *out);

#endif
