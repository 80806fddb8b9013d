/* SPDX-License-Identifier: Apache-2.0 */
#include "share/logxml.h"

#include <errno.h>
#include <string.h>

#include "share/fmt.h"
#include "share/writeall.h"

const struct er_event_desc er_events[EVENT_COUNT] = {
#define ER_EVENT(name, kind, text) { #name, EVKIND_##kind, text },
#include "share/events.def"
#undef ER_EVENT
};

const char *const er_event_kinds[EVKIND_COUNT] = {
    "run", "sample", "pause", "resume", "exit", "end", "warning", "error",
};

static void
sentence(struct fmt *f, const char *text, const char *arg1, const char *arg2)
{
    const char *args[3] = { arg1, arg2, NULL };
    int n = 0;

    for (; *text; text++) {
        if (text[0] != '%' || text[1] != 's') {
            fmt_xml(f, text, 1);
            continue;
        }
        if (args[n])
            fmt_xml(f, args[n], strlen(args[n]));
        n += n < 2;
        text++;
    }
}

static void
attributes(struct fmt *f, const struct log_attr *attrs, int nattrs)
{
    for (int i = 0; i < nattrs; i++) {
        if (attrs[i].text)
            fmt_attr(f, attrs[i].name, attrs[i].text);
        else
            fmt_attr_u64(f, attrs[i].name, attrs[i].number);
    }
}

int
log_event(int fd, enum er_event event, u64 mono, const char *arg1, const char *arg2,
          const struct log_attr *attrs, int nattrs)
{
    static const char tail[] = "</event>\n";
    const struct er_event_desc *desc = &er_events[event];
    char line[4096];
    struct fmt f = fmt_start(line, sizeof(line) - sizeof(tail));
    size_t len;

    fmt_str(&f, "<event");
    fmt_attr(&f, "kind", er_event_kinds[desc->kind]);
    fmt_attr(&f, "id", desc->name);
    fmt_attr_u64(&f, "time", mono);
    if (arg1)
        fmt_attr(&f, "arg1", arg1);
    if (arg2)
        fmt_attr(&f, "arg2", arg2);
    attributes(&f, attrs, nattrs);
    fmt_char(&f, '>');
    sentence(&f, desc->text, arg1, arg2);
    if (f.cut)
        return -E2BIG;
    memcpy(f.at, tail, sizeof(tail) - 1);
    len = (size_t)(f.at - line) + sizeof(tail) - 1;
    return writeall(fd, line, len);
}
