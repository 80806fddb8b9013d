/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/attach/debugger.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BUFFER = 32768,
    CHUNK = 4096, /* bytes of the target's memory in one line */
    SYSCALL_WORDS = 7,
};

static int socket_fd = -1, target_fd = -1;
static pid_t peer;
static int answers;
static u64 syscall_function;
static char buffer[BUFFER];
static size_t held; /* bytes in buffer */
static char reason[DEBUGGER_LINE];

const char *
debugger_reason(void)
{
    return reason;
}

int
debugger_connect(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    struct ucred who;
    socklen_t len = sizeof(who);
    int fd;

    if (strlen(path) >= sizeof(address.sun_path))
        return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) < 0 ||
        getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &len) < 0) {
        int error = errno;

        close(fd);
        return -error;
    }
    socket_fd = fd;
    peer = who.pid;
    return 0;
}

pid_t
debugger_pid(void)
{
    return peer;
}

int
debugger_answers(void)
{
    return answers && peer;
}

void
debugger_set_target(int pidfd)
{
    target_fd = pidfd;
    answers = peer != 0;
}

void
debugger_set_syscall(u64 address)
{
    syscall_function = address;
}

/* Close the connection: the debugger has ended, or its answer makes no sense. */
static int
disconnect(int error)
{
    if (socket_fd >= 0)
        close(socket_fd);
    socket_fd = -1;
    peer = 0;
    answers = 0;
    held = 0;
    return error;
}

static int
send_all(const char *text, size_t len)
{
    while (len) {
        ssize_t n = send(socket_fd, text, len, MSG_NOSIGNAL);

        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return disconnect(-EPIPE);
        text += n;
        len -= (size_t)n;
    }
    return 0;
}

/* Take a line out of the buffer, without its end: 1; 0 if none is whole. */
static int
pop_line(char *line, size_t size)
{
    char *end = memchr(buffer, '\n', held);
    size_t len;

    if (!end)
        return 0;
    len = (size_t)(end - buffer);
    snprintf(line, size, "%.*s", (int)len, buffer);
    held -= len + 1;
    memmove(buffer, end + 1, held);
    return 1;
}

/* Read more bytes into the buffer; -EAGAIN if none have arrived. */
static int
receive(int flags)
{
    size_t room = BUFFER - held;
    ssize_t n = room ? recv(socket_fd, buffer + held, room, flags) : 0;

    if (n < 0 && (errno == EINTR || errno == EAGAIN))
        return -EAGAIN;
    if (n <= 0)
        return disconnect(-EPIPE);
    held += (size_t)n;
    return 0;
}

/*
 * Wait for a line that answers: "=" and the answer, or "!" and why there is none. 0;
 * -EIO: "!", `reason` is set; -ESRCH: the target has ended; or another -errno.
 */
static int
await(char *line, size_t size)
{
    struct pollfd fds[2] = { { .fd = socket_fd, .events = POLLIN },
                             { .fd = target_fd, .events = POLLIN } };

    while (!pop_line(line, size)) {
        int n = poll(fds, 2, -1), ret;

        if (n < 0 && errno != EINTR)
            return disconnect(-errno);
        if (n > 0 && !fds[0].revents && fds[1].revents)
            return -ESRCH;
        ret = n > 0 ? receive(0) : -EAGAIN;
        if (ret < 0 && ret != -EAGAIN)
            return ret;
    }
    if (*line == '=')
        return 0;
    snprintf(reason, sizeof(reason), "%.*s", (int)sizeof(reason) - 1, line + 1);
    return -EIO;
}

/* Send a question, and copy the answer after its "=" to `answer`. */
static int
query(const char *question, char *answer, size_t size)
{
    int ret;

    if (!debugger_answers())
        return -EPIPE;
    ret = send_all(question, strlen(question));
    if (ret == 0)
        ret = await(answer, size);
    if (ret == 0)
        memmove(answer, answer + 1, strlen(answer));
    return ret;
}

static int
numbers(const char *text, u64 *to, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *end;

        to[i] = strtoull(text, &end, 16);
        if (end == text)
            return -EPROTO;
        text = end;
    }
    return 0;
}

pid_t
debugger_thread(void)
{
    char line[BUFFER] = "thread\n";
    u64 tid = 0;

    if (query(line, line, sizeof(line)) == 0)
        (void)numbers(line, &tid, 1);
    return (pid_t)tid;
}

int
debugger_registers(pid_t tid, struct user_regs_struct *regs)
{
    char line[BUFFER];
    u64 r[19];
    int ret;

    snprintf(line, sizeof(line), "registers %d\n", (int)tid);
    ret = query(line, line, sizeof(line));
    if (ret == 0)
        ret = numbers(line, r, ER_COUNT(r));
    if (ret < 0)
        return ret;
    *regs = (struct user_regs_struct){
        .rax = r[0],  .rbx = r[1],  .rcx = r[2],  .rdx = r[3],     .rsi = r[4],
        .rdi = r[5],  .rbp = r[6],  .rsp = r[7],  .r8 = r[8],      .r9 = r[9],
        .r10 = r[10], .r11 = r[11], .r12 = r[12], .r13 = r[13],    .r14 = r[14],
        .r15 = r[15], .rip = r[16], .eflags = r[17], .orig_rax = r[18],
    };
    return 0;
}

static int
call(pid_t tid, int alone, u64 function, const u64 *args, int n, u64 *result)
{
    char line[BUFFER];
    int len = snprintf(line, sizeof(line), "call %d %s %llx", (int)tid,
                       alone ? "alone" : "free", (unsigned long long)function);
    int ret;

    for (int i = 0; i < n; i++)
        len += snprintf(line + len, sizeof(line) - (size_t)len, " %llx",
                        (unsigned long long)args[i]);
    snprintf(line + len, sizeof(line) - (size_t)len, "\n");
    ret = query(line, line, sizeof(line));
    return ret == 0 ? numbers(line, result, 1) : ret;
}

int
debugger_call(pid_t tid, int alone, u64 function, u64 arg, u64 *result)
{
    return call(tid, alone, function, &arg, 1, result);
}

int
debugger_syscall(pid_t tid, int alone, long number, const u64 arg[6], u64 *result)
{
    u64 all[SYSCALL_WORDS] = { (u64)number };

    if (!syscall_function)
        return -ENOSYS;
    memcpy(all + 1, arg, 6 * sizeof(*arg));
    return call(tid, alone, syscall_function, all, SYSCALL_WORDS, result);
}

static int
read_some(u64 from, unsigned char *to, size_t bytes)
{
    char line[BUFFER];
    int ret;

    snprintf(line, sizeof(line), "read %llx %zx\n", (unsigned long long)from, bytes);
    ret = query(line, line, sizeof(line));
    if (ret == 0 && strlen(line) != 2 * bytes)
        ret = -EFAULT;
    for (size_t i = 0; i < bytes && ret == 0; i++)
        ret = sscanf(line + 2 * i, "%2hhx", &to[i]) == 1 ? 0 : -EPROTO;
    return ret;
}

int
debugger_read(u64 from, void *to, size_t bytes)
{
    int ret = 0;

    for (size_t at = 0; at < bytes && ret == 0; at += CHUNK)
        ret = read_some(from + at, (unsigned char *)to + at,
                        bytes - at < CHUNK ? bytes - at : CHUNK);
    return ret;
}

static int
write_some(u64 to, const unsigned char *from, size_t bytes)
{
    char line[BUFFER];
    int len = snprintf(line, sizeof(line), "write %llx ", (unsigned long long)to);

    for (size_t i = 0; i < bytes; i++)
        len += snprintf(line + len, sizeof(line) - (size_t)len, "%02x", from[i]);
    snprintf(line + len, sizeof(line) - (size_t)len, "\n");
    return query(line, line, sizeof(line));
}

int
debugger_write(u64 to, const void *from, size_t bytes)
{
    int ret = 0;

    for (size_t at = 0; at < bytes && ret == 0; at += CHUNK)
        ret = write_some(to + at, (const unsigned char *)from + at,
                         bytes - at < CHUNK ? bytes - at : CHUNK);
    return ret;
}

void
debugger_send_last(const char *format, ...)
{
    char line[BUFFER];
    va_list list;
    int len;

    answers = 0;
    if (!peer)
        return;
    va_start(list, format);
    len = vsnprintf(line, sizeof(line) - 1, format, list);
    va_end(list);
    if (len > (int)sizeof(line) - 2)
        len = (int)sizeof(line) - 2;
    line[len++] = '\n';
    (void)send_all(line, (size_t)len);
}

void
debugger_listen(void)
{
    if (!peer)
        return;
    (void)fcntl(socket_fd, F_SETOWN, getpid());
    (void)fcntl(socket_fd, F_SETFL, O_ASYNC);
}

int
debugger_hear(char line[DEBUGGER_LINE])
{
    if (!peer)
        return 0;
    while (!pop_line(line, DEBUGGER_LINE))
        if (receive(MSG_DONTWAIT) < 0)
            return 0;
    return 1;
}
