/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/value.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define MSEC 1000000ull
#define SEC 1000000000ull

/*
 * Read a decimal number with an optional fraction, times scale, rounded down to a whole
 * number. strtod() is not used, since its decimal point depends on the locale.
 */
static int
decimal(const char **text, u64 scale, u64 *value)
{
    const char *p = *text;
    u64 whole = 0, part = 0, step = scale;

    if (!isdigit((unsigned char)*p))
        return -EINVAL;
    for (; isdigit((unsigned char)*p); p++)
        if (__builtin_mul_overflow(whole, 10, &whole) ||
            __builtin_add_overflow(whole, (u64)(*p - '0'), &whole))
            return -ERANGE;
    if (*p == '.' && !isdigit((unsigned char)p[1]))
        return -EINVAL;
    if (*p == '.')
        for (p++; isdigit((unsigned char)*p); p++) {
            step /= 10;
            part += (u64)(*p - '0') * step;
        }
    if (__builtin_mul_overflow(whole, scale, &whole) ||
        __builtin_add_overflow(whole, part, value))
        return -ERANGE;
    *text = p;
    return 0;
}

int
value_interval(const char *text, u64 *ns)
{
    /*
     * Primes, in microseconds, so that hits do not keep in step with work in round
     * periods.
     */
    static const struct {
        const char *name;
        u64 ns;
    } named[] = {
        { "off", 0 },        { "on", 10007000 },   { "lo", 100003000 },
        { "hi", 997000 },    { "low", 100003000 }, { "high", 997000 },
    };
    const char *p = text;
    size_t len = strlen(text);
    u64 value, scale = MSEC;
    int ret;

    for (size_t i = 0; i < ER_COUNT(named); i++)
        if (!strcmp(text, named[i].name)) {
            *ns = named[i].ns;
            return 0;
        }
    if (len > 1 && text[len - 1] == 's')
        len--;
    if (len && text[len - 1] == 'u')
        scale = 1000;
    ret = decimal(&p, scale, &value);
    if (ret < 0)
        return ret;
    if (*p == 'm' || *p == 'u')
        p += p[1] == 's' ? 2 : 1;
    if (*p)
        return -EINVAL;
    if (value < 1000 || value > SEC)
        return -ERANGE;
    *ns = value;
    return 0;
}

int
value_period(const char *text, u64 *ns)
{
    u64 value;
    int ret;

    if (!strcmp(text, "off") || !strcmp(text, "on")) {
        *ns = text[1] == 'n' ? SEC : 0;
        return 0;
    }
    ret = decimal(&text, SEC, &value);
    if (ret < 0)
        return ret;
    if (*text)
        return -EINVAL;
    if (value < SEC / 100 || value > 86400 * SEC)
        return -ERANGE;
    *ns = value;
    return 0;
}

int
value_threshold(const char *text, int *all, u64 *ns)
{
    int named = !strcmp(text, "on") || !strcmp(text, "off") || !strcmp(text, "all");
    u64 value = 0;
    int ret = named ? 0 : decimal(&text, 1000, &value);

    if (ret < 0)
        return ret;
    if (!named && *text)
        return -EINVAL;
    if (value > 86400 * SEC)
        return -ERANGE;
    *all = named ? text[0] == 'a' : value == 0;
    *ns = value;
    return 0;
}

/* N[m|s] in ns. */
static int
duration(const char **text, u64 *ns)
{
    const char *p = *text + strspn(*text, "0123456789.");
    u64 scale = *p == 'm' ? 60 * SEC : SEC;
    int ret = decimal(text, scale, ns);

    if (ret == 0 && (**text == 'm' || **text == 's'))
        (*text)++;
    return ret;
}

int
value_window(const char *text, u64 *begin, u64 *end)
{
    u64 first, second = 0;
    int ret = duration(&text, &first);

    if (ret < 0)
        return ret;
    if (*text == '\0') {
        if (!first)
            return -ERANGE;
        *begin = 0;
        *end = first;
        return 0;
    }
    if (*text++ != '-')
        return -EINVAL;
    ret = duration(&text, &second);
    if (ret < 0)
        return ret;
    if (*text)
        return -EINVAL;
    if (second && second <= first)
        return -ERANGE;
    *begin = first;
    *end = second;
    return 0;
}

static int
signal_number(const char *text)
{
    char *end;
    long n;

    if (isdigit((unsigned char)*text)) {
        n = strtol(text, &end, 10);
        return *end || n < 1 || n > SIGRTMAX ? 0 : (int)n;
    }
    if (!strncmp(text, "SIG", 3))
        text += 3;
    for (int sig = 1; sig < SIGRTMIN; sig++) {
        const char *name = sigabbrev_np(sig);

        if (name && !strcmp(name, text))
            return sig;
    }
    if (strncmp(text, "RTMIN", 5))
        return 0;
    if (!text[5])
        return SIGRTMIN;
    n = text[5] == '+' && isdigit((unsigned char)text[6]) ? strtol(text + 6, &end, 10)
                                                          : -1;
    return n < 0 || *end || n > SIGRTMAX - SIGRTMIN ? 0 : SIGRTMIN + (int)n;
}

int
value_signal(const char *text, int *sig)
{
    /*
     * Signals that cannot be caught, that are the target's own affair, or the
     * collector's clock.
     */
    static const int never[] = { SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGILL,
                                 SIGFPE,  SIGTRAP, SIGABRT, SIGSYS, SIGURG };
    int n = signal_number(text);

    if (!n || (n > 31 && n < SIGRTMIN))
        return -EINVAL;
    for (size_t i = 0; i < ER_COUNT(never); i++)
        if (n == never[i])
            return -ERANGE;
    *sig = n;
    return 0;
}

int
value_megabytes(const char *text, u64 *mb)
{
    u64 value;
    int ret = decimal(&text, 1, &value);

    if (ret < 0)
        return ret;
    if (*text)
        return -EINVAL;
    if (value < 1 || value > UINT32_MAX)
        return -ERANGE;
    *mb = value;
    return 0;
}
