/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The name of a socket: its protocol, its own address and its peer's, as far as it has
 * them: "tcp 127.0.0.1:80 -> 127.0.0.1:5123", "udp [::]:53", "unix /run/x".
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include "collector/io/io_name.h"
#include "collector/sig/sys.h"

union any_address {
    struct sockaddr sa;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    struct sockaddr_un un;
    struct sockaddr_storage room;
};

struct known {
    union any_address address;
    u32 size; /* bytes of the address; 0 = the socket has no such address */
};

static void
get_address(long call, int fd, struct known *k)
{
    k->size = sizeof(k->address);
    if (sys_call4(call, fd, (long)(uintptr_t)&k->address, (long)(uintptr_t)&k->size,
                  0) < 0)
        k->size = 0;
    else if (k->size > sizeof(k->address))
        k->size = sizeof(k->address);
}

static u32
option(int fd, int name)
{
    u32 value = 0, size = sizeof(value);

    if (sys_call6(SYS_getsockopt, fd, SOL_SOCKET, name, (long)(uintptr_t)&value,
                  (long)(uintptr_t)&size, 0) < 0)
        return 0;
    return value;
}

static void
add_inet(struct io_name *n, int family, const void *address, u32 port)
{
    char text[INET6_ADDRSTRLEN] = "?";
    int saved = errno;

    inet_ntop(family, address, text, sizeof(text));
    errno = saved;
    io_name_add_text(n, family == AF_INET6 ? "[" : "");
    io_name_add_text(n, text);
    io_name_add_text(n, family == AF_INET6 ? "]:" : ":");
    io_name_add_u64(n, port);
}

/*
 * Append the address of a Unix socket: a path, or for an abstract address @ and its
 * name.
 */
static void
add_unix(struct io_name *n, const struct sockaddr_un *a, u32 size)
{
    u32 len = size - (u32)offsetof(struct sockaddr_un, sun_path);

    if (len > sizeof(a->sun_path))
        len = sizeof(a->sun_path);
    if (!a->sun_path[0]) {
        io_name_add(n, "@", 1);
        io_name_add(n, a->sun_path + 1, len - 1);
    } else {
        io_name_add(n, a->sun_path, strnlen(a->sun_path, len));
    }
}

/*
 * Append `before` and the address, if there is one. 1 = appended; 0 = it has no port or
 * name, or is of another family.
 */
static int
add_address(struct io_name *n, const char *before, const struct known *k)
{
    const union any_address *a = &k->address;

    if (k->size < sizeof(a->sa.sa_family))
        return 0;
    if (a->sa.sa_family == AF_INET && k->size >= sizeof(a->in) && a->in.sin_port) {
        io_name_add_text(n, before);
        add_inet(n, AF_INET, &a->in.sin_addr, ntohs(a->in.sin_port));
    } else if (a->sa.sa_family == AF_INET6 && k->size >= sizeof(a->in6) &&
               a->in6.sin6_port) {
        io_name_add_text(n, before);
        add_inet(n, AF_INET6, &a->in6.sin6_addr, ntohs(a->in6.sin6_port));
    } else if (a->sa.sa_family == AF_UNIX &&
               k->size > offsetof(struct sockaddr_un, sun_path)) {
        io_name_add_text(n, before);
        add_unix(n, &a->un, k->size);
    } else {
        return 0;
    }
    return 1;
}

static void
add_protocol(struct io_name *n, int fd)
{
    static const char *const inet[] = { "tcp", "udp", "raw" };
    u32 family = option(fd, SO_DOMAIN), type = option(fd, SO_TYPE);

    if (family == AF_UNIX)
        io_name_add_text(n, "unix");
    else if (family == AF_NETLINK)
        io_name_add_text(n, "netlink");
    else if ((family == AF_INET || family == AF_INET6) && type >= 1 && type <= 3)
        io_name_add_text(n, inet[type - 1]);
    else {
        io_name_add_text(n, "socket of family ");
        io_name_add_u64(n, family);
    }
}

/* Add the inode number, which identifies a socket that has no address. */
static void
add_number(struct io_name *n, int fd)
{
    struct stat st;

    if (sys_call4(SYS_fstat, fd, (long)(uintptr_t)&st, 0, 0) < 0)
        return;
    io_name_add_text(n, " [");
    io_name_add_u64(n, st.st_ino);
    io_name_add_text(n, "]");
}

void
io_name_socket(struct io_name *n, int fd, const struct sockaddr *to, u32 size)
{
    struct known own, peer;
    int any;

    add_protocol(n, fd);
    get_address(SYS_getsockname, fd, &own);
    get_address(SYS_getpeername, fd, &peer);
    if (!peer.size && to && size <= sizeof(peer.address)) {
        memcpy(&peer.address, to, size);
        peer.size = size;
    }
    any = add_address(n, " ", &own);
    any |= add_address(n, " -> ", &peer);
    if (!any)
        add_number(n, fd);
}
