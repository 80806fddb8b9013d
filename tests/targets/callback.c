/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes threads and forks out of a callback of dl_iterate_phdr(), which has the
 * loader's lock, while another thread makes threads; a library was loaded just before.
 * Prints how often.
 */
/* build: -O2 -g */
/* link: -lpthread -ldl */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop, made, forked;
static sem_t go;

static void *
nothing(void *arg)
{
    return arg;
}

static void
make_thread(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, nothing, NULL) == 0) {
        pthread_detach(thread);
        __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
    }
}

static void *
make_threads(void *arg)
{
    for (;;) {
        sem_wait(&go);
        if (stop)
            return arg;
        make_thread();
    }
}

static int
each(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)info;
    (void)size;
    sem_post(&go);
    usleep(2000);
    make_thread();
    if (*(int *)arg % 8 == 0) {
        pid_t pid = fork();

        if (pid == 0)
            _exit(0);
        forked += pid > 0 && waitpid(pid, NULL, 0) == pid;
    }
    return 1;
}

int
main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, make_threads, NULL);
    for (int i = 0; i < 40; i++) {
        void *library = dlopen("libanl.so.1", RTLD_NOW | RTLD_LOCAL);

        dl_iterate_phdr(each, &i);
        if (library)
            dlclose(library);
    }
    stop = 1;
    sem_post(&go);
    pthread_join(thread, NULL);
    printf("made %d, forked %d\n", made, forked);
    return 0;
}
