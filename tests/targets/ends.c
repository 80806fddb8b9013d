/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ends in the way that is asked for, after 50 ms of work; or looks at its own world.
 */
/* build: -O2 -g */
/* link: -lpthread */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void
work(long ms)
{
    static __thread volatile unsigned long sink;
    struct timespec a, b;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    do {
        for (int i = 0; i < 5000; i++)
            sink += (unsigned long)i;
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    } while ((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < ms);
}

/* 30 ms in code that no file has, where such code can be made. */
static void
unknown(void)
{
#ifdef __x86_64__
    /* mov $1000000, %ecx; again: dec %ecx; jnz again; ret */
    static const unsigned char code[] = { 0xb9, 0x40, 0x42, 0x0f, 0x00,
                                          0xff, 0xc9, 0x75, 0xfc, 0xc3 };
    void *at = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct timespec a, b;
    void (*run)(void);

    if (at == MAP_FAILED)
        return;
    memcpy(at, code, sizeof(code));
    memcpy(&run, &at, sizeof(run));
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &a);
    do {
        run();
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &b);
    } while ((b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 < 30);
#endif
}

static void *
exits(void *arg)
{
    work(30);
    exit((int)(long)arg);
}

static void *
busy(void *arg)
{
    for (;;)
        work(100);
    return arg;
}

static void
crash(void)
{
    *(volatile int *)8 = 1;
}

static void
world(void)
{
    struct dirent *e;
    char cwd[4096];
    DIR *dir;

    for (char **v = environ; *v; v++)
        if (strncmp(*v, "_=", 2))
            puts(*v);
    dir = opendir("/proc/self/fd");
    while ((e = readdir(dir)))
        if (atoi(e->d_name) < 1000 && e->d_name[0] != '.')
            printf("fd %s\n", e->d_name);
    closedir(dir);
    printf("cwd %s errno %d nice %d\n", getcwd(cwd, sizeof(cwd)), errno,
           getpriority(0, 0));
    fflush(stdout);
    if (fork() == 0) {
        work(20);
        printf("child\n");
        fflush(stdout);
        execlp("env", "env", "-u", "_", NULL);
    }
    wait(NULL);
    work(10);
    execl("/bin/sh", "sh", "-c", "ls /proc/self/fd | sort -n | "
          "awk '$1 < 1000' | paste -sd' '", NULL);
}

/* Takes every number away from us, and uses them itself. */
static void
descriptors(const char *how)
{
    int fd;

    work(20);
    if (!strcmp(how, "each"))
        for (int i = 3; i < 20000; i++)
            close(i);
    else if (!strcmp(how, "range"))
        syscall(SYS_close_range, 3, ~0u, 0);
    fd = open("mine", O_RDWR | O_CREAT | O_TRUNC, 0600);
    for (int i = 1000; i < 1010; i++)
        dup2(fd, i);
    for (int i = 0; i < 3; i++) {
        pthread_t id;

        work(40);
        pthread_create(&id, NULL, (void *(*)(void *))work, (void *)20L);
        pthread_join(id, NULL);
    }
    printf("size of mine %ld\n", (long)lseek(fd, 0, SEEK_END));
    for (int i = 1000; i < 1010; i++)
        if (fcntl(i, F_GETFD) < 0)
            printf("lost %d\n", i);
}

int
main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    pthread_t id;

    if (!strcmp(how, "world")) {
        world();
        return 0;
    }
    if (!strcmp(how, "descriptors")) {
        descriptors(argv[2]);
        return 0;
    }
    if (!strcmp(how, "busy")) {
        for (int i = 0; i < 3; i++)
            pthread_create(&id, NULL, busy, NULL);
        busy(NULL);
    }
    work(50);
    if (!strcmp(how, "chroot")) {
        if (mkdir("empty", 0700) || chroot("empty"))
            return 77;
        unknown();
    }
    if (!strcmp(how, "full")) {
        while (dup(0) >= 0)
            ;
        pthread_create(&id, NULL, (void *(*)(void *))work, (void *)300L);
        pthread_join(id, NULL);
    }
    if (!strcmp(how, "abort"))
        abort();
    if (!strcmp(how, "segv"))
        crash();
    if (!strcmp(how, "kill"))
        kill(getpid(), SIGKILL);
    if (!strcmp(how, "_exit"))
        _exit(5);
    if (!strcmp(how, "_Exit"))
        _Exit(5);
    if (!strcmp(how, "syscall"))
        syscall(SYS_exit_group, 5);
    if (!strcmp(how, "quick_exit"))
        quick_exit(5);
    if (!strcmp(how, "thread")) {
        pthread_create(&id, NULL, exits, (void *)5L);
        pthread_join(id, NULL);
    }
    if (!strcmp(how, "execvp"))
        execvp("sh", (char *[]){ "sh", "-c", "exit 5", NULL });
    if (!strcmp(how, "execvpe"))
        execvpe("sh", (char *[]){ "sh", "-c", "exit $X", NULL },
                (char *[]){ "X=5", NULL });
    if (!strcmp(how, "execle"))
        execle("/bin/sh", "sh", "-c", "exit $X", NULL, (char *[]){ "X=5", NULL });
    if (!strcmp(how, "fexecve"))
        fexecve(open("/bin/sh", O_RDONLY | O_CLOEXEC),
                (char *[]){ "sh", "-c", "exit 5", NULL }, environ);
    if (!strcmp(how, "execveat"))
        execveat(AT_FDCWD, "/bin/sh", (char *[]){ "sh", "-c", "exit 5", NULL }, environ,
                 0);
    return 5;
}
