/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attach-signals: one thread computes while another sends SIGUSR1 to it, as often as it
 * can, until standard input ends. Says `handled`, or `lost N`, how many signals were
 * sent and not handled: each is awaited before the next.
 */
/* build: -O2 -g */
/* link: -lpthread */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile int over, handled;
static volatile unsigned long spun;
static pthread_t main_thread;

static void
handle(int sig)
{
    (void)sig;
    handled++;
}

static void *
send(void *arg)
{
    long *lost = arg;

    while (!over) {
        int before = handled;
        const struct timespec some = { 0, 20000 };

        pthread_kill(main_thread, SIGUSR1);
        for (int i = 0; i < 500000 && handled == before; i++)
            nanosleep(&some, NULL);
        *lost += handled == before;
    }
    return NULL;
}

static void *
wait_for_end(void *arg)
{
    char byte;

    while (read(STDIN_FILENO, &byte, 1) == 1)
        continue;
    over = 1;
    return arg;
}

int
main(void)
{
    struct sigaction action = { .sa_handler = handle };
    pthread_t thread[2];
    long lost = 0;

    main_thread = pthread_self();
    sigaction(SIGUSR1, &action, NULL);
    pthread_create(&thread[0], NULL, send, &lost);
    pthread_create(&thread[1], NULL, wait_for_end, NULL);
    puts("ready");
    fflush(stdout);
    while (!over)
        spun++;
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    if (lost)
        printf("lost %ld\n", lost);
    else
        puts("handled");
    return 0;
}
