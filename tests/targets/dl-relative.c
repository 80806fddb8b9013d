/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Loads objects by names that are relative to directories which it leaves, and works
 * in them. Arguments, in threes: a directory, a file in it, a function in that.
 */
/* build: */
/* build: out=dl-relative-one.so -O2 -g -shared -fPIC -DWORK=work_one */
/* build: out=dl-relative-two.so -O2 -g -shared -fPIC -DWORK=work_two */
/* link: -ldl */
#include <dlfcn.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#ifdef WORK

void WORK(void);

volatile unsigned long WORK_count;

void
WORK(void)
{
    struct timespec now;

    do {
        for (int i = 0; i < 100000; i++)
            WORK_count++;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_nsec / 100000000 % 2 == 0);
    do {
        for (int i = 0; i < 100000; i++)
            WORK_count++;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    } while (now.tv_nsec / 100000000 % 2 == 1);
}

#else

int
main(int argc, char **argv)
{
    for (int i = 1; i + 2 < argc; i += 3) {
        void *object;
        void (*work)(void);

        if (chdir(argv[i]) < 0 || !(object = dlopen(argv[i + 1], RTLD_NOW)) ||
            chdir("/") < 0)
            return 1;
        *(void **)&work = dlsym(object, argv[i + 2]);
        work();
    }
    return 0;
}

#endif
