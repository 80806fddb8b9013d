/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "collector/call/call.h"
#include "collector/sig/sys.h"
#include "share/experiment.h"

enum {
    HEADS = 1024,
    TABLE_MAX = 4 << 20,
};

struct call_function *call_functions;
u32 call_function_count;

static u32 heads[HEADS];

static u32
hash(const char *name)
{
    u32 h = 5381;

    for (; *name; name++)
        h = h * 33 + (unsigned char)*name;
    return h % HEADS;
}

const struct call_function *
call_table_find(const char *name)
{
    for (u32 i = heads[hash(name)]; i; i = call_functions[i - 1].next)
        if (!strcmp(call_functions[i - 1].name, name))
            return &call_functions[i - 1];
    return NULL;
}

/*
 * Add a function, unless its row is not valid, its name is known, or the table is full.
 * Its name is copied to *names, and terminated.
 */
static void
add(const char *row, u32 len, char **names)
{
    struct call_function *f = &call_functions[call_function_count];
    u32 at, *head;

    if (call_function_count == CALL_FUNCTIONS ||
        calltype_parse(row, len, &f->type, &at))
        return;
    f->row = row;
    f->row_len = len;
    f->name_len = f->type.name.len;
    memcpy(*names, row + f->type.name.at, f->name_len);
    (*names)[f->name_len] = '\0';
    if (call_table_find(*names))
        return;
    f->name = *names;
    *names += f->name_len + 1;
    head = &heads[hash(f->name)];
    f->next = *head;
    *head = ++call_function_count;
}

/*
 * Read a whole file into memory that is never freed. Returns the number of bytes read,
 * or -errno. Makes raw system calls, since calls of libc's functions may be recorded
 * (-T).
 */
static long
read_file(int fd, char **text)
{
    long size = sys_call4(SYS_lseek, fd, 0, SEEK_END, 0), got = 0, n = 1;

    if (size < 0 || size > TABLE_MAX)
        return size < 0 ? size : -E2BIG;
    *text = sys_map((u64)size + 1);
    if (!*text)
        return -ENOMEM;
    (void)sys_call4(SYS_lseek, fd, 0, SEEK_SET, 0);
    for (; got < size && n > 0; got += n > 0 ? n : 0)
        n = sys_call4(SYS_read, fd, (long)(uintptr_t)(*text + got), size - got, 0);
    return got;
}

static long
read_all(const char *directory, char **text)
{
    static const char name[] = "/" EXPERIMENT_CALLS;
    char path[4096];
    size_t len = strlen(directory);
    long fd, size;

    if (len + sizeof(name) > sizeof(path))
        return -ENAMETOOLONG;
    memcpy(path, directory, len);
    memcpy(path + len, name, sizeof(name));
    fd = sys_call4(SYS_openat, AT_FDCWD, (long)(uintptr_t)path,
                   O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
    if (fd < 0)
        return fd;
    size = read_file((int)fd, text);
    sys_call4(SYS_close, fd, 0, 0, 0);
    return size;
}

int
call_table_read(const char *directory)
{
    char *text = NULL, *names;
    long size = read_all(directory, &text);
    struct call_span row;
    const char *start;
    u64 at = 0;
    u32 line = 0;

    /*
     * The functions of an earlier recording are not freed, since a thread may still
     * read them.
     */
    call_function_count = 0;
    memset(heads, 0, sizeof(heads));
    if (size < 0)
        return (int)size;
    names = sys_map((u64)size + 1);
    call_functions = sys_map(CALL_FUNCTIONS * sizeof(*call_functions));
    if (!names || !call_functions)
        return -ENOMEM;
    while (calltype_next(text, (u64)size, &at, &line, &row, &start))
        add(start, row.len, &names);
    return call_function_count ? 0 : -ENOENT;
}
