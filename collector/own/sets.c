/* SPDX-License-Identifier: Apache-2.0 */
/* libc's functions on sets of signals. For any context. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "share/types.h"

/*
 * Find the word that holds a signal's bit, and that bit. NULL: there is no such signal.
 */
static unsigned long *
word_of(const sigset_t *set, int signal, unsigned long *bit)
{
    enum { BITS = 8 * sizeof(unsigned long) };

    if (signal < 1 || signal >= _NSIG) {
        errno = EINVAL;
        return NULL;
    }
    *bit = 1ul << (signal - 1) % BITS;
    return (unsigned long *)(uintptr_t)set + (signal - 1) / BITS;
}

int
sigemptyset(sigset_t *set)
{
    memset(set, 0, sizeof(*set));
    return 0;
}

int
sigfillset(sigset_t *set)
{
    memset(set, 0xff, sizeof(*set));
    return 0;
}

int
sigaddset(sigset_t *set, int signal)
{
    unsigned long bit, *word = word_of(set, signal, &bit);

    if (word)
        *word |= bit;
    return word ? 0 : -1;
}

int
sigdelset(sigset_t *set, int signal)
{
    unsigned long bit, *word = word_of(set, signal, &bit);

    if (word)
        *word &= ~bit;
    return word ? 0 : -1;
}

int
sigismember(const sigset_t *set, int signal)
{
    unsigned long bit, *word = word_of(set, signal, &bit);

    return word ? (*word & bit) != 0 : -1;
}
