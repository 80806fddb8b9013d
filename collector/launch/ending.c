/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/ending.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/err.h"
#include "share/logxml.h"

enum {
    LOG_TAIL = 8192, /* bytes of the log that hold its last events */
};

void
ending_describe(const siginfo_t *ended, char *how, size_t size)
{
    if (ended->si_code == CLD_EXITED)
        snprintf(how, size, "exit status %d", ended->si_status);
    else
        snprintf(how, size, "signal %d (%s)", ended->si_status,
                 strsignal(ended->si_status));
}

/*
 * Find the last event in `text` that has that id. Returns the text after its time; NULL
 * if there is no such event.
 */
static char *
last_event(char *text, const char *id)
{
    char mark[64], *at = text, *last = NULL;

    snprintf(mark, sizeof(mark), " id=\"%s\" time=\"", id);
    while ((at = strstr(at, mark))) {
        at += strlen(mark);
        last = at + strcspn(at, "\"");
    }
    return last && *last ? last + 1 : NULL;
}

static void
read_tail(int log, char text[LOG_TAIL + 1])
{
    struct stat st;
    ssize_t len = -1;

    if (fstat(log, &st) == 0)
        len = pread(log, text, LOG_TAIL,
                    st.st_size > LOG_TAIL ? st.st_size - LOG_TAIL : 0);
    text[len > 0 ? len : 0] = '\0';
}

/*
 * Did the collector stop because the target called exec? It did if the later one of its
 * last events `exit` and `exec_failed` is an exit for exec. text: the end of the log.
 * name: set to what was executed, escaped as in the log.
 */
static int
left_by_exec(char *text, char *name, size_t size)
{
    char *exit = last_event(text, "exit"), *failed = last_event(text, "exec_failed");

    if (!exit || failed > exit || strncmp(exit, " arg1=\"exec\" arg2=\"", 19) != 0)
        return 0;
    exit += 19;
    snprintf(name, size, "%.*s", (int)strcspn(exit, "\""), exit);
    return 1;
}

/* Does the process, which is a zombie, have another user than we have? */
static int
is_other_user(pid_t pid)
{
    char text[1024], *line;
    unsigned user = geteuid();

    account_read_text(pid, "status", text, sizeof(text));
    line = strstr(text, "\nUid:");
    return line && sscanf(line, "\nUid: %*u %u", &user) == 1 && user != geteuid();
}

/*
 * Find out why the new program `name` has no collector: the target's log says it, or it
 * has another user. 1 with why set, or 0.
 */
static int
why_lost(const struct recording *s, char *text, const char *name, char *why,
         size_t size)
{
    char *lost = last_event(text, "descendant_lost"), known[600];
    const char *slash = strrchr(name, '/');
    int len = snprintf(known, sizeof(known), " arg1=\"%s\" arg2=\"",
                       slash ? slash + 1 : name);

    if (lost && !strncmp(lost, known, (size_t)len))
        snprintf(why, size, "%.*s", (int)strcspn(lost + len, "\""), lost + len);
    else if (is_other_user(s->pid))
        snprintf(why, size, "%s", image_no_reach);
    else
        return 0;
    return 1;
}

/*
 * If it is known why the program `name` is not recorded after an exec, report that, and
 * return 1. text: the end of the log.
 */
static int
report_lost(const struct recording *s, const char *program, char *text,
            const char *name)
{
    char why[256];

    if (!why_lost(s, text, name, why, sizeof(why)))
        return 0;
    err_warn("%s became %s by exec, without the collector (%s): only its resource use "
             "is recorded%s",
             program, name, why, image_remedy(why));
    return 1;
}

int
ending_left_by_exec(const struct recording *s)
{
    char text[LOG_TAIL + 1], name[512];

    read_tail(s->experiment.log, text);
    return left_by_exec(text, name, sizeof(name));
}

int
ending_report_exec(const struct recording *s, const char *program)
{
    char text[LOG_TAIL + 1], name[512];

    read_tail(s->experiment.log, text);
    return !s->became && left_by_exec(text, name, sizeof(name)) &&
           report_lost(s, program, text, name);
}

void
ending_put_exec(const struct recording *s)
{
    char text[LOG_TAIL + 1], name[512];

    read_tail(s->experiment.log, text);
    if (s->became || !left_by_exec(text, name, sizeof(name)))
        return;
    (void)log_event(s->experiment.log, EVENT_became, moment_mono(), name, NULL, NULL,
                    0);
    if (!report_lost(s, s->request->target[0], text, name))
        err_warn("%s became %s by exec, of which only the resource use is recorded; "
                 "to record that one, name it",
                 s->request->target[0], name);
}
