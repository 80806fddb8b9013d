/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The values of records' fields: the flags and enumerations of records.def. Files
 * contain the numbers, so no number is ever changed or reused. Any context.
 */
#ifndef ERTOOLS_SHARE_VALUES_H
#define ERTOOLS_SHARE_VALUES_H

#include "share/types.h"

/* Flags of a stack node. */
enum er_node_flag {
    NODE_TRUNCATED = 1, /* the walk ended here before the stack's root; pc is 0 */
    NODE_SIGNAL = 2,    /* a signal frame: the kernel called what lies below it */
    NODE_EXACT = 4,     /* pc is an interrupted instruction, not a return address */
    NODE_UNKNOWN = 8,   /* pc was in no known object when the node was made */
    NODE_OMITTED = 16,  /* frames between this one and its parent were left out */
    NODE_COLLECTOR = 32, /* the collector's own work, for its parent's; pc is 0 */
    NODE_JOINED = 64, /* not a frame: the frames below it run on behalf of its parent */
    NODE_WAITING = 128, /* like JOINED, and a leaf: the thread waits in the runtime */
    NODE_CODE = 256, /* a frame of interpreted code: pc is code_place() */
    NODE_MIXED = 512, /* two stacks: parent is the native one, pc the interpreted one */
    NODE_ENTRY = 1024, /* NODE_CODE: its caller is in another call of the interpreter */
};

/*
 * In a joined node (NODE_JOINED), pc is the id of another node: the stack that the
 * thread really had. Following the parents to the root gives the logical stack of the
 * program; following the pc at joined nodes gives the native stack. A waiting node
 * without a parent means that the thread waits for the next parallel region.
 */

/*
 * Instance ids from here on are provisional: for objects whose code ran before they
 * were in map.xml. The lines <early> of map.xml say which objects they were.
 */
#define ER_EARLY_FIRST 0x80000000u

/* What sampled a thread (thread.source). */
enum er_source_flag {
    SOURCE_PERF = 1,   /* user-mode perf task clock */
    SOURCE_TIMER = 2,  /* CLOCK_THREAD_CPUTIME_ID timer */
    SOURCE_JITTER = 4, /* the perf clock's period is varied */
    SOURCE_UNSEEN = 8, /* its start was not seen: not sampled */
};

/* Why no hit stands for some CPU time (residual.kind). */
enum er_residual {
    RESIDUAL_STARTUP = 1,
    RESIDUAL_EXIT,
    RESIDUAL_UNATTRIBUTED,
    RESIDUAL_PAUSED,
};

/* What a thread is doing (clock.mstate, off.mstate, thread.wait_state). */
enum er_mstate {
    MSTATE_USER,
    MSTATE_SYSTEM,
    MSTATE_WAIT,  /* it could run, but has no processor */
    MSTATE_LOCK,  /* waits for a lock that another thread has */
    MSTATE_IO,
    MSTATE_SLEEP, /* waits for time, a signal, a child, or what is not known */
    MSTATE_FAULT, /* waits for a page to be read */
    MSTATE_STOP,  /* stopped by a signal */
    MSTATE_EVENT, /* waits for a condition, semaphore, barrier, thread, or poll() */
    MSTATE_COUNT,
    MSTATE_KERNEL = 16, /* clock.mstate only: SYSTEM, sampled by the kernel */
};

/* Who reported a function made at run time (made.origin). */
enum er_made_origin {
    MADE_BY_CALL = 1, /* collector_func_load() and the like, in the process itself */
    MADE_BY_JAVA,
    MADE_BY_PERF_MAP,
    MADE_BY_JITDUMP,
    MADE_BY_GDB, /* the GDB JIT interface */
    MADE_BY_INTERPRETER, /* bytecode, met while an interpreter ran it */
};

enum {
    MADE_ALWAYS = 1, /* made.since: for as long as the process lives */
};

/* What a mapping is (map.kind, unmap.kind). */
enum er_map_kind {
    MAP_KIND_NONE,
    MAP_KIND_ANONYMOUS,
    MAP_KIND_FILE,
    MAP_KIND_BREAK,
    MAP_KIND_NO_ACCESS,
};

/* What is known of a block that was never freed (left.class). */
enum er_left_class {
    LEFT_UNKNOWN,
    LEFT_LOST,      /* no pointer to it is left */
    LEFT_INDIRECT,  /* only lost blocks point to it */
    LEFT_POSSIBLY,  /* only reached through pointers into the middle of a block */
    LEFT_REACHABLE, /* a pointer to its beginning is left */
    LEFT_CLASSES,
};

/* Why the class is not known (heap_unknown in log.xml): an exec ends all blocks. */
#define ER_HEAP_EXEC "the process became another program"

/* The kind of a mapping (region.kind). */
enum er_region_kind {
    REGION_FILE = 1,
    REGION_ANONYMOUS,
    REGION_BREAK, /* the heap that grows by brk */
    REGION_STACK, /* stack of the first thread */
    REGION_OTHER, /* a special mapping such as [vdso]: see its name */
};

/* What a thread asks for, holds or waits for (wait.kind, hold.kind, ...). */
enum er_sync_kind {
    SYNC_MUTEX = 1,
    SYNC_READ,  /* a read-write lock for reading */
    SYNC_WRITE, /* a read-write lock for writing */
    SYNC_SPIN,
    SYNC_CONDITION,
    SYNC_BARRIER,
    SYNC_SEMAPHORE,
    SYNC_JOIN,
    SYNC_ONCE,
    SYNC_FILE, /* flock(), lockf() and the like */
    SYNC_FUTEX, /* the system call: locks that are none of libc's */
    SYNC_MONITOR, /* monitor of a Java object, whose class a record `named` has */
    SYNC_NOTIFY, /* Object.wait() of a Java object, named like a monitor */
    SYNC_KIND_COUNT,
};

/* What an I/O call does (io.kind). */
enum er_io_kind {
    IO_READ = 1,
    IO_WRITE,
    IO_OTHER,
    IO_WAIT, /* poll(), select() and the like */
    IO_KIND_COUNT,
};

/* What a file of I/O tracing is (file.kind). */
enum er_file_kind {
    FILE_KIND_UNKNOWN,
    FILE_KIND_REGULAR,
    FILE_KIND_DIRECTORY,
    FILE_KIND_PIPE,
    FILE_KIND_SOCKET,
    FILE_KIND_CHARACTER,
    FILE_KIND_BLOCK,
    FILE_KIND_ANONYMOUS, /* epoll, eventfd and the like */
    FILE_KIND_PATH,      /* a path that was not opened */
    FILE_KIND_COUNT,
};

/* How a file of I/O tracing became known (file.how). */
enum er_file_origin {
    FILE_OPENED = 1,
    FILE_INHERITED,
    FILE_PATH_ONLY,
};

/* What an MPI call does (mpi.kind). */
enum er_mpi_kind {
    MPI_KIND_SEND = 1,
    MPI_KIND_RECV,
    MPI_KIND_SENDRECV,
    MPI_KIND_START, /* begins persistent operations */
    MPI_KIND_WAIT,
    MPI_KIND_TEST,
    MPI_KIND_PROBE,
    MPI_KIND_BARRIER,  /* collectives, by who waits for whom: all wait for all */
    MPI_KIND_TO_ALL,   /* all wait for all, with data */
    MPI_KIND_FROM_ONE, /* all wait for the root */
    MPI_KIND_TO_ONE,   /* the root waits for all */
    MPI_KIND_PREFIX,   /* each waits for those of lower rank */
    MPI_KIND_NEIGHBOR, /* each waits for its neighbours */
    MPI_KIND_RMA, MPI_KIND_RMA_SYNC,
    MPI_KIND_FILE,
    MPI_KIND_FILE_ALL, /* called by all ranks that have opened the file */
    MPI_KIND_COMM,     /* makes or ends communicators and windows */
    MPI_KIND_GROUP,    /* queries, groups, topologies */
    MPI_KIND_ENV,      /* the beginning, the end, and the like */
    MPI_KIND_RMA_ALONE, /* RMA_SYNC that takes a lock which excludes all others */
    MPI_KIND_COUNT,
};

/* Whether the call waits, begins something, etc.; in the rows of mpicalls.def. */
enum er_mpi_mode {
    MPI_MODE_BLOCK = 1, /* may wait for others */
    MPI_MODE_BEGIN,     /* begins an operation; a record `done` tells its end */
    MPI_MODE_INIT,      /* makes a persistent request */
    MPI_MODE_LOCAL,     /* waits for nobody */
};

/* What comm.id stands for (comm.kind). */
enum er_comm_kind {
    COMM_INTRA = 1,
    COMM_INTER,
    COMM_WINDOW,
    COMM_FILE,
};

/* What a program reports about regions, besides beginnings and ends (notice.what). */
enum er_notice {
    NOTICE_OPEN = 1,       /* a region still open, or open when its thread ended */
    NOTICE_NUMBER,         /* a number for the innermost region */
    NOTICE_TEXT,           /* a text for the innermost region */
    NOTICE_INTERVAL,       /* an interval begins, which any thread may end */
    NOTICE_INTERVAL_END,
    NOTICE_MARK,           /* a moment with a name */
    NOTICE_STRAY,          /* an end without a beginning */
    NOTICE_TOO_DEEP,       /* regions that were not recorded: too many around them */
};

/* Why a sample point was recorded (sample.cause). */
enum er_cause {
    CAUSE_START = 1,
    CAUSE_PERIODIC,
    CAUSE_SIGNAL,
    CAUSE_CALL,
    CAUSE_PAUSE,
    CAUSE_RESUME,
    CAUSE_EXIT,
    CAUSE_END,
};

#endif
