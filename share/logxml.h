/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes lines of log.xml. Normal context of launcher and target; no allocation, no
 * stdio. Each event is one line and one write(2) on a descriptor opened with O_APPEND,
 * so that lines of several writers do not mix, and the file has only whole lines at any
 * moment.
 */
#ifndef ERTOOLS_SHARE_LOGXML_H
#define ERTOOLS_SHARE_LOGXML_H

#include "share/types.h"

/* EVENT_run, ...: rows of events.def. */
enum er_event {
#define ER_EVENT(name, kind, text) EVENT_##name,
#include "share/events.def"
#undef ER_EVENT
    EVENT_COUNT,
};

enum er_event_kind {
    EVKIND_RUN,
    EVKIND_SAMPLE,
    EVKIND_PAUSE,
    EVKIND_RESUME,
    EVKIND_EXIT,
    EVKIND_END,
    EVKIND_WARNING,
    EVKIND_ERROR,
    EVKIND_COUNT,
};

struct er_event_desc {
    const char *name;
    enum er_event_kind kind;
    const char *text;
};

/*
 * The events, indexed by enum er_event; and the kinds' names as they stand in log.xml,
 * indexed by enum er_event_kind.
 */
extern const struct er_event_desc er_events[EVENT_COUNT];
extern const char *const er_event_kinds[EVKIND_COUNT];

/* A further attribute of an event: a number; or, if text is set, that text. */
struct log_attr {
    const char *name;
    const char *text;
    u64 number;
};

/*
 * Append `<event kind= id= time= [arg1= arg2=] [attrs]>sentence</event>` to log.xml.
 * mono is CLOCK_MONOTONIC in ns, arguments may be NULL. Returns 0; -E2BIG: the line
 * would have more than 4 KiB; or another -errno.
 */
int log_event(int fd, enum er_event event, u64 mono, const char *arg1, const char *arg2,
              const struct log_attr *attrs, int nattrs);

#endif
