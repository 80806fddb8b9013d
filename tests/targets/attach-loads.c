/* SPDX-License-Identifier: Apache-2.0 */
/* build: */
/* build: out=libattach-loads1.so -DLIBRARY -shared -fPIC -Wl,-z,now,-z,relro */
/* build: out=libattach-loads2.so -DLIBRARY -shared -fPIC -Wl,-z,now,-z,relro */
/* link: -ldl -lpthread */
/*
 * Loads libraries and unloads them all the time, each in a thread of its own; the
 * loader is long at relocating their many constant pointers. usage: attach-loads
 * LIBRARY...; it ends when its input does.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef LIBRARY
static int value;
#define A &value, &value, &value, &value, &value, &value, &value, &value, \
          &value, &value,
#define B A A A A A A A A A A
#define C B B B B B B B B B B
#define D C C C C C C C C C C C C C C C C C C C C
int *const attach_loads_table[] = { D D };

void *
attach_loads_call(void)
{
    return malloc(1);
}
#else
static volatile int over;

static void *
run(void *name)
{
    while (!over) {
        void *library = dlopen(name, RTLD_NOW);

        if (!library)
            exit(2);
        dlclose(library);
    }
    return NULL;
}

int
main(int argc, char **argv)
{
    pthread_t id[8];
    char line[8];

    for (int i = 1; i < argc && i < 8; i++)
        pthread_create(&id[i], NULL, run, argv[i]);
    puts("ready");
    fflush(stdout);
    while (read(0, line, sizeof(line)) > 0)
        ;
    over = 1;
    for (int i = 1; i < argc && i < 8; i++)
        pthread_join(id[i], NULL);
    puts("end");
    return 5;
}
#endif
