/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/tail.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "share/logxml.h"
#include "share/writeall.h"

void
tail_mend(int fd)
{
    off_t end = lseek(fd, 0, SEEK_END);
    char last;

    if (end > 0 && pread(fd, &last, 1, end - 1) == 1 && last != '\n')
        (void)writeall(fd, "\n", 1);
}

void
tail_unsaid(const struct expdir *e, u64 mono)
{
    u32 lines = __atomic_load_n(&e->ctl->unsaid, __ATOMIC_ACQUIRE);
    char text[16];

    tail_mend(e->log);
    if (!lines)
        return;
    snprintf(text, sizeof(text), "%u", lines);
    (void)log_event(e->log, EVENT_unsaid, mono, text, NULL, NULL, 0);
}

static void
put(int fd, const char *text)
{
    tail_mend(fd);
    (void)writeall(fd, text, strlen(text));
}

void
tail_put(const struct expdir *e)
{
    put(e->log, "</experiment>\n");
    tail_put_map(e);
}

void
tail_put_map(const struct expdir *e)
{
    put(e->map, "</map>\n");
}
