/* SPDX-License-Identifier: Apache-2.0 */
/* The functions whose bodies are made from the rows of libc.def. */
#include <stdarg.h>

#include "collector/libc/real.h"
#include "collector/sync/sync_real.h"
#include "collector/wait/wait.h"
#include "collector/wait/wait_real.h"

/* The state of a call like poll(): without any descriptor it only sleeps. */
static u32
state_of(u64 descriptors)
{
    return descriptors ? MSTATE_EVENT : MSTATE_SLEEP;
}

/*
 * 1 if the stream's buffer has input: the call then does not wait, and goes to the real
 * function.
 */
static int
has_input(const FILE *stream)
{
    return stream->_IO_read_ptr < stream->_IO_read_end;
}

static int
has_room(const FILE *stream)
{
    return stream->_IO_write_ptr < stream->_IO_write_end;
}

static int
needs_mode(int flags)
{
    return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE;
}

#define BODY(type, name, params, ...) \
    WRAPPER type                      \
    name params                       \
    {                                 \
        return __VA_ARGS__;           \
    }

#define BODY_IN(type, name, params, args, state) \
    BODY(type, name, params, WAIT_IN(MSTATE_##state, WAIT_REAL(name) args))

#define BODY_RARELY(type, name, params, args, state) \
    BODY(type, name, params, WAIT_BRIEFLY(MSTATE_##state, WAIT_REAL(name) args))

#define BODY_EVENTS(type, name, params, args, count) \
    BODY(type, name, params, WAIT_IN(state_of(count), WAIT_REAL(name) args))

#define BODY_UNLESS(serves, type, name, params, args)                            \
    BODY(type, name, params,                                                     \
         ER_LIKELY(serves) ? WAIT_REAL(name) args                                \
                           : WAIT_BRIEFLY(MSTATE_IO, WAIT_REAL(name) args))

#define BODY_INPUT(type, name, params, args, stream) \
    BODY_UNLESS(has_input(stream), type, name, params, args)

#define BODY_OUTPUT(type, name, params, args, stream) \
    BODY_UNLESS(has_room(stream), type, name, params, args)

#define BODY_LIST(type, name, params, args, next, last, state)        \
    WRAPPER type                                                      \
    name params                                                       \
    {                                                                 \
        va_list list;                                                 \
        type result;                                                  \
                                                                      \
        va_start(list, last);                                         \
        result = WAIT_BRIEFLY(MSTATE_##state, WAIT_REAL(next) args);  \
        va_end(list);                                                 \
        return result;                                                \
    }

#define BODY_MODE(type, name, params, args, state)                    \
    WRAPPER type                                                      \
    name params                                                       \
    {                                                                 \
        mode_t mode = 0;                                              \
        va_list list;                                                 \
                                                                      \
        if (needs_mode(flags)) {                                      \
            va_start(list, flags);                                    \
            mode = va_arg(list, mode_t);                              \
            va_end(list);                                             \
        }                                                             \
        return WAIT_IN(MSTATE_##state, WAIT_REAL(name) args);         \
    }

#define BODY_VOID(type, name, params, args, state)                    \
    WRAPPER type                                                      \
    name params                                                       \
    {                                                                 \
        (void)WAIT_IN(MSTATE_##state, __extension__({                 \
                          WAIT_REAL(name) args;                       \
                          0;                                          \
                      }));                                            \
    }

#define BODY_OWN(...)

#define LIBC_FOR_WAIT
#define ROW(type, name, params, args, body, ...) \
    BODY_##body(type, name, params, args, __VA_ARGS__)
#include "collector/libc/libc.def"

/* Define the same bodies for the functions that sync_real.c looks up. */
#define SYNC_BODY_IN(type, name, params, args, state) \
    BODY(type, name, params, WAIT_IN(MSTATE_##state, SYNC_REAL(name) args))

#define SYNC_BODY_OWN(...)

#define LIBC_FOR_WAIT_SYNC
#define ROW(type, name, params, args, body, ...) \
    SYNC_BODY_##body(type, name, params, args, __VA_ARGS__)
#include "collector/libc/libc.def"
