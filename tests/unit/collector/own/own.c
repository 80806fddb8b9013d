/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of collector/own do what libc's do. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/types.h"

enum { ROOM = 300 };

/* Both, through pointers, so that the compiler knows neither. */
#define PAIR(name)                                                                     \
    __typeof__(name) *volatile ours = name, *volatile theirs =                         \
                                        (__typeof__(name) *)dlsym(RTLD_NEXT, #name);   \
    cr_assert((void *)ours != (void *)theirs, "%s is libc's", #name)

static unsigned char one[ROOM], other[ROOM], source[ROOM];

static void
fill(void)
{
    for (int i = 0; i < ROOM; i++)
        one[i] = other[i] = source[i] = (unsigned char)(i * 7 + 1);
}

static void
same(const char *what, size_t from, size_t to, size_t len)
{
    for (int i = 0; i < ROOM; i++)
        cr_assert(one[i] == other[i], "%s, %zu to %zu, length %zu: byte %d", what, from,
                  to, len, i);
}

Test(own, copies)
{
    PAIR(memcpy);
    for (size_t len = 0; len < 140; len++)
        for (size_t shift = 0; shift < 9; shift++) {
            fill();
            cr_assert(ours(one + shift, source + 3, len) == one + shift);
            theirs(other + shift, source + 3, len);
            same("memcpy", 3, shift, len);
        }
}

Test(own, moves)
{
    PAIR(memmove);
    for (size_t len = 0; len < 140; len++)
        for (size_t to = 0; to < 24; to++) {
            fill();
            cr_assert(ours(one + to, one + 12, len) == one + to);
            theirs(other + to, other + 12, len);
            same("memmove", 12, to, len);
        }
}

Test(own, fills)
{
    PAIR(memset);
    for (size_t len = 0; len < 140; len++) {
        fill();
        cr_assert(ours(one + 5, 0x1a5, len) == one + 5);
        theirs(other + 5, 0x1a5, len);
        same("memset", 0, 5, len);
    }
}

static int
sign(int n)
{
    return (n > 0) - (n < 0);
}

Test(own, compares_memory)
{
    PAIR(memcmp);
    for (size_t len = 0; len < 40; len++)
        for (size_t at = 0; at < 40; at++) {
            fill();
            one[at] ^= 0x80;
            cr_assert_eq(sign(ours(one, other, len)), sign(theirs(one, other, len)));
        }
}

Test(own, searches_memory)
{
    PAIR(memmem);
    __typeof__(memchr) *volatile find = memchr;

    fill();
    for (size_t at = 0; at < ROOM; at++)
        for (size_t len = 0; len < 12 && at + len <= ROOM; len++)
            cr_assert(ours(one, ROOM, one + at, len) ==
                      theirs(one, ROOM, one + at, len));
    cr_assert(ours(one, 2, one, 3) == NULL);
    cr_assert(ours(one, 2, one, 0) == one);
    cr_assert(find(one, one[40], ROOM) == one + 40);
    cr_assert(find(one, one[40], 40) == NULL);
}

static const char *const texts[] = {
    "", "a", "b", "ab", "abc", "abd", "ab/cd/ef", "/", "\xff\x01", "a=b;c", "aab",
};

#define EACH(s) for (u32 s = 0; s < ER_COUNT(texts); s++)

Test(own, measures)
{
    PAIR(strnlen);
    __typeof__(strlen) *volatile len = strlen;

    EACH(s) {
        size_t want = theirs(texts[s], 99);

        cr_assert_eq(len(texts[s]), want);
        for (size_t n = 0; n < 9; n++)
            cr_assert_eq(ours(texts[s], n), theirs(texts[s], n));
    }
}

Test(own, compares_texts)
{
    PAIR(strncmp);
    __typeof__(strcmp) *volatile all = strcmp;

    EACH(a) EACH(b) {
        cr_assert_eq(sign(all(texts[a], texts[b])),
                     sign(theirs(texts[a], texts[b], 99)));
        for (size_t n = 0; n < 9; n++)
            cr_assert_eq(sign(ours(texts[a], texts[b], n)),
                         sign(theirs(texts[a], texts[b], n)));
    }
}

Test(own, finds_the_first)
{
    PAIR(strchr);
    EACH(s) for (const char *c = "ab/;"; ; c++) {
        cr_assert(ours(texts[s], *c) == theirs(texts[s], *c));
        if (!*c)
            break;
    }
    cr_assert(ours(texts[8], 0xff) == texts[8]);
}

Test(own, finds_the_last)
{
    PAIR(strrchr);
    EACH(s) for (const char *c = "ab/;"; ; c++) {
        cr_assert(ours(texts[s], *c) == theirs(texts[s], *c));
        if (!*c)
            break;
    }
}

Test(own, finds_texts)
{
    PAIR(strstr);
    EACH(s) EACH(w) cr_assert(ours(texts[s], texts[w]) == theirs(texts[s], texts[w]));
}

Test(own, spans)
{
    PAIR(strspn);
    EACH(s) EACH(w) cr_assert_eq(ours(texts[s], texts[w]), theirs(texts[s], texts[w]));
}

Test(own, spans_others)
{
    PAIR(strcspn);
    EACH(s) EACH(w) cr_assert_eq(ours(texts[s], texts[w]), theirs(texts[s], texts[w]));
}

Test(own, copies_texts)
{
    PAIR(strncpy);
    __typeof__(stpcpy) *volatile stp = stpcpy;
    __typeof__(strcpy) *volatile str = strcpy;
    __typeof__(strcat) *volatile cat = strcat;

    EACH(s) {
        char text[32];

        fill();
        ours((char *)one, texts[s], 12);
        theirs((char *)other, texts[s], 12);
        same("strncpy", s, 0, 12);
        cr_assert(stp(text, texts[s]) == text + strlen(texts[s]));
        cr_assert(str(text, texts[s]) == text);
        cr_assert(cat(text, "end") == text);
        cr_assert_eq(strlen(text), strlen(texts[s]) + 3);
        cr_assert(!strncmp(text, texts[s], strlen(texts[s])));
        cr_assert(!strcmp(text + strlen(texts[s]), "end"));
    }
}

Test(own, sets_of_signals)
{
    PAIR(sigismember);
    sigset_t set;

    sigemptyset(&set);
    for (int s = 1; s < _NSIG; s++) {
        cr_assert_eq(ours(&set, s), 0);
        cr_assert_eq(sigaddset(&set, s), 0);
        cr_assert_eq(ours(&set, s), 1);
        cr_assert_eq(theirs(&set, s), 1);
        cr_assert_eq(sigdelset(&set, s), 0);
        cr_assert_eq(theirs(&set, s), 0);
    }
    sigfillset(&set);
    cr_assert_eq(theirs(&set, SIGURG), 1);
    errno = 0;
    cr_assert_eq(ours(&set, 0), -1);
    cr_assert_eq(errno, EINVAL);
    cr_assert_eq(sigaddset(&set, _NSIG), -1);
    cr_assert_eq(sigdelset(&set, -1), -1);
}

Test(own, files)
{
    char name[] = "/tmp/ertools-own.XXXXXX", back[8] = "";
    struct stat by_name, by_fd;
    int fd = mkstemp(name), again;

    cr_assert(fd >= 0);
    cr_assert_eq(write(fd, "written", 7), 7);
    cr_assert_eq(pread(fd, back, 7, 0), 7);
    cr_assert_str_eq(back, "written");
    cr_assert_eq(stat(name, &by_name), 0);
    cr_assert_eq(fstat(fd, &by_fd), 0);
    cr_assert(by_name.st_ino == by_fd.st_ino && by_fd.st_size == 7);
    cr_assert_eq(access(name, R_OK), 0);
    cr_assert_eq(close(fd), 0);
    cr_assert_eq(unlink(name), 0);
    errno = 0;
    cr_assert_eq(access(name, F_OK), -1);
    cr_assert_eq(errno, ENOENT);
    again = open(name, O_CREAT | O_RDWR, 0640);
    cr_assert(again >= 0);
    cr_assert_eq(fstat(again, &by_fd), 0);
    cr_assert_eq(by_fd.st_mode & 0700, 0600);
    close(again);
    unlink(name);
    errno = 0;
    cr_assert_eq(openat(AT_FDCWD, name, O_RDONLY), -1);
    cr_assert_eq(errno, ENOENT);
}

Test(own, process)
{
    PAIR(getpid);
    struct rlimit limit, want;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                      -1, 0);
    int (*volatile theirs_limit)(__rlimit_resource_t, struct rlimit *) =
        (int (*)(__rlimit_resource_t, struct rlimit *))dlsym(RTLD_NEXT, "getrlimit");

    cr_assert_eq(ours(), theirs());
    cr_assert_eq(kill(ours(), 0), 0);
    cr_assert_eq(getrlimit(RLIMIT_STACK, &limit), 0);
    cr_assert_eq(theirs_limit(RLIMIT_STACK, &want), 0);
    cr_assert(limit.rlim_cur == want.rlim_cur && limit.rlim_max == want.rlim_max);
    cr_assert(page != MAP_FAILED);
    *(char *)page = 1;
    cr_assert_eq(madvise(page, 4096, MADV_DONTNEED), 0);
    cr_assert_eq(*(char *)page, 0);
    cr_assert_eq(munmap(page, 4096), 0);
    cr_assert(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
              MAP_FAILED);
    cr_assert_eq(errno, EINVAL);
}
