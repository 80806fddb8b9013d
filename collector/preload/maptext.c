/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/maptext.h"

#include <unistd.h>

#include "collector/preload/expt.h"
#include "collector/sig/guard.h"
#include "collector/sig/space.h"
#include "share/writeall.h"

/*
 * Count lines that could not be written, for instance because of a limit of the target:
 * the launcher then lists the objects itself. Not after the launcher has closed the
 * log.
 */
static void
count_missing(u32 lines)
{
    if (expt_is_closed())
        return;
    __atomic_fetch_add(&space_ctl->unsaid, lines, __ATOMIC_RELAXED);
    space_want(WANT_MAP);
}

static void
begin(struct maptext *t)
{
    t->lines = 0;
    t->f = fmt_start(t->text, sizeof(t->text));
}

static void
flush(struct maptext *t)
{
    size_t len = (size_t)(t->f.at - t->text);
    int pending = guard_xfsz_pending();

    /* If a line did not fit, none of these lines is written. */
    if (len && !t->f.cut && !t->failed)
        t->failed = writeall(t->fd, t->text, len) < 0;
    guard_xfsz_drain(pending);
    if (t->lines && (t->failed || t->f.cut))
        count_missing(t->lines);
    begin(t);
}

void
maptext_open(struct maptext *t)
{
    t->fd = expt_append("map.xml");
    t->failed = t->fd < 0;
    begin(t);
}

void
maptext_end_line(struct maptext *t)
{
    fmt_str(&t->f, "/>\n");
    t->lines++;
    if (t->f.cut || t->f.end - t->f.at < MAPTEXT_BYTES / 2)
        flush(t);
}

void
maptext_close(struct maptext *t)
{
    flush(t);
    if (t->fd >= 0)
        close(t->fd);
}
