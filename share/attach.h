/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pages that collect shares with a running process to which it attaches: code that
 * a stopped thread runs, then this struct, then room for vector registers, then a
 * stack. They are a memfd, mapped in both processes. Any context; no allocation.
 */
#ifndef ERTOOLS_SHARE_ATTACH_H
#define ERTOOLS_SHARE_ATTACH_H

#include "share/types.h"

/* The memfd's name, and how /proc/PID/maps shows it. */
#define ATTACH_NAME "ertools-attach"
#define ATTACH_MAPPED "/memfd:" ATTACH_NAME

enum {
    ATTACH_VERSION = 2,
    ATTACH_NAME_BYTES = 32,
    ATTACH_PATH_BYTES = 4096,
    ATTACH_LIBRARIES = 6,
    ATTACH_DESCRIPTORS = ATTACH_LIBRARIES + 2,
    ATTACH_XSTATE_BYTES = 16384,
    ATTACH_STACK_BYTES = 65536,
    ATTACH_CODE_BYTES = 4096,
    ATTACH_BEAT_SECONDS = 5, /* after so long without a beat, check the launcher */
};

/*
 * What the launcher asks of the agent, which is the collector's thread in the target.
 */
enum attach_command {
    ATTACH_NONE,
    ATTACH_LOAD,  /* the stub is loading the library */
    ATTACH_START, /* begin to record */
    ATTACH_REDIRECT,  /* redirect calls to the collector's functions */
    ATTACH_PART,  /* undo ATTACH_REDIRECT */
    ATTACH_STOP,  /* restore all; -EBUSY: a thread has not called end_thread (below) */
    ATTACH_LEAVE, /* end the thread */
    ATTACH_COMMAND = 15, /* mask: the bits above are a sequence number */
    ATTACH_NUMBER = 16,  /* is added for each new command, to make it another number */
};

/*
 * A call that a stopped thread makes for the launcher. If the launcher is killed before
 * the call ends, the thread restores its registers itself and continues.
 */
struct attach_call {
    u64 function;
    u64 arg[4];
    u64 result;
    u32 done;  /* a futex: the function has returned */
    u32 taken; /* 1 = the launcher resumes the thread; 2 = it does so itself */
    /* The thread's state before the call, from which the thread can restore itself. */
    u64 mask;   /* blocked signals */
    u64 xstate; /* address in the target of the XSAVE area */
    u64 r[16];  /* rax rbx rcx rdx rsi rdi rbp r8 to r15, then its stack pointer */
};

struct attach_page {
    struct attach_call call; /* first, as the stub relies on its place */
    u64 cookie; /* a random number that identifies this struct */
    u32 version;
    u32 command;  /* a futex, of the launcher: enum attach_command and a number */
    u32 answered; /* a futex: the last command that the agent has finished */
    int error;    /* result of that command: 0 or -errno */
    u32 agent;    /* thread id of the agent */
    u32 launcher; /* process id; 0 = the target cannot see it */
    u32 beat;     /* changes while the launcher lives */
    u32 gone;     /* a futex: 1 = the agent ends */
    /* Addresses of functions in the target's libc, which the stub calls. */
    u64 open;   /* dlopen() */
    u64 find;   /* dlsym() */
    u64 why;    /* dlerror() */
    u64 detach; /* pthread_detach() */
    /*
     * The agent's answer to ATTACH_START: functions that the target's threads must
     * call.
     */
    u64 begin_thread; /* attach_begin_thread() */
    u64 end_thread;
    u64 base_user; /* user CPU ns of the process when recording began */
    u64 base_system; /* system CPU ns at that moment */
    u64 slots;     /* slots that were changed to lead to the collector */
    u64 unseen;    /* slots that could not be changed */
    u64 resident;  /* address of the function `entry`; 0 = not loaded yet */
    /*
     * Descriptors that the launcher has made in the target for the agent, which closes
     * them.
     */
    int fd[ATTACH_DESCRIPTORS];
    u32 fds;        /* how many there are */
    u32 has_closed; /* 1 = the agent has closed them */
    int socket; /* one of fd[], which gets the directory; -1 = none */
    char entry[32]; /* name of the agent's main function */
    char words[512]; /* what dlerror() said */
    char params[1024];
    char experiment[ATTACH_PATH_BYTES];
    char library[ATTACH_LIBRARIES][ATTACH_PATH_BYTES]; /* paths: collector, families */
    char name[ATTACH_LIBRARIES][ATTACH_NAME_BYTES]; /* names of these files */
};

/* In libcollector.so: the main function of the agent thread. */
void ertools_attach(struct attach_page *page);

/*
 * For the families' libraries, in a process that ran before they were loaded: the
 * function of that name to call next, which is libcollector.so's if it replaces that,
 * else the real one. NULL = use the loader's order (RTLD_NEXT).
 */
void *ertools_find(const char *name, const char *version);

enum {
    ATTACH_XSTATE = ATTACH_CODE_BYTES +
                    ((sizeof(struct attach_page) + 4095) & ~(size_t)4095),
    ATTACH_STACK = ATTACH_XSTATE + ATTACH_XSTATE_BYTES,
    ATTACH_BYTES = ATTACH_STACK + ATTACH_STACK_BYTES,
};

#endif
