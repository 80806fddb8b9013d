/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For targets that try constructs of OpenMP. CONSTRUCT(name) begins run_NAME(), whose
 * threads or tasks call mark_NAME(): it allocates a block and counts in calls_NAME.
 * KEEP is defined before this: the attributes of functions that must stay.
 */
static int wrong;

#define CONSTRUCT(name)                            \
    static int calls_##name;                       \
    static KEEP void mark_##name(void)             \
    {                                              \
        void *volatile p = malloc(100);            \
                                                   \
        free(p);                                   \
        __atomic_add_fetch(&calls_##name, 1, __ATOMIC_RELAXED); \
    }                                              \
    static KEEP void run_##name(void)

static void
check(const char *what, long got, long wanted)
{
    if (got == wanted)
        return;
    printf("%s: %ld instead of %ld\n", what, got, wanted);
    wrong = 1;
}
