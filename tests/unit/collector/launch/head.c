/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/launch/head.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "share/logxml.h"

static struct recording *s;
static struct request request;
static char log_path[64];
static struct head_process process = { .wd = "/" };

/* A log head of the given arguments, closed; its text, for free(). */
static char *
write_log(char **target)
{
    char *text;
    off_t len;

    strcpy(log_path, "/tmp/ertools-head.XXXXXX");
    s = calloc(1, sizeof(*s));
    request.target = target;
    s->request = &request;
    s->pid = 42;
    process.args = target;
    strcpy(s->program, target[0]);
    host_read(&s->host);
    s->experiment.log = mkstemp(log_path);
    cr_assert_geq(s->experiment.log, 0);
    cr_assert_eq(head_log(s, &process), 0);
    cr_assert_eq(log_event(s->experiment.log, EVENT_run, 1, NULL, NULL, NULL, 0), 0);
    cr_assert_eq(write(s->experiment.log, "</experiment>\n", 14), 14);
    len = lseek(s->experiment.log, 0, SEEK_END);
    text = calloc(1, (size_t)len + 1);
    cr_assert_eq(pread(s->experiment.log, text, (size_t)len, 0), len);
    return text;
}

static void
check_xml(void)
{
    char command[128];

    if (system("command -v xmllint >/dev/null") == 0) {
        snprintf(command, sizeof(command), "xmllint --noout --nonet %s", log_path);
        cr_assert_eq(system(command), 0);
    }
    unlink(log_path);
}

Test(head, hostile_arguments_stay_xml)
{
    /* Every byte that can stand in an argument, and sequences that are not UTF-8. */
    char all[256],
        *argv[] = { (char[]){ "a</arg>\"'&]]>" },
                    all,
                    (char[]){ "\xc3\xa9 \xc0\x80 \xed\xa0\x80 \xef\xbf\xbf" },
                    (char[]){ "" },
                    (char[]){ "<!--\n<?x" },
                    NULL };
    char *text;

    for (int i = 1; i < 256; i++)
        all[i - 1] = (char)i;
    all[255] = '\0';
    text = write_log(argv);
    cr_assert_not_null(strstr(text, "<arg></arg>\n"), "empty arguments are kept");
    cr_assert_not_null(strstr(text, "\xc3\xa9 \\xc0\\x80"));
    cr_assert_null(strstr(text, "</arg>\"'"));
    free(text);
    check_xml();
}

Test(head, a_long_command_line_fits)
{
    char quotes[] = "\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"\"";
    char **argv = calloc(5002, sizeof(*argv));
    char *text;
    int n = 0;

    for (int i = 0; i < 5000; i++)
        argv[i] = quotes;
    argv[0] = (char[]){ "./a" };
    argv[5000] = (char[]){ "last" };
    text = write_log(argv);
    for (char *p = text; (p = strstr(p, "<arg>")); p++)
        n++;
    cr_assert_eq(n, 5001);
    cr_assert_not_null(strstr(text, "<arg>last</arg>"));
    free(text);
    check_xml();
}

Test(head, each_file_record_and_field_is_told)
{
    char *argv[] = { (char[]){ "./a" }, NULL }, want[256];
    char *text = write_log(argv);

    for (int i = 0; i < FILE_COUNT; i++) {
        snprintf(want, sizeof(want), "<file name=\"%s\" layout=", er_files[i].name);
        cr_assert_not_null(strstr(text, want), "%s", want);
    }
    for (int i = 0; i < REC_COUNT; i++) {
        const char *at;

        snprintf(want, sizeof(want), "<record name=\"%s\" number=\"%u\"",
                 er_records[i].name, er_records[i].number);
        at = strstr(text, want);
        cr_assert_not_null(at, "%s", want);
        for (u32 k = 0; k < er_records[i].nfields; k++) {
            const struct er_field_desc *f = &er_records[i].fields[k];

            snprintf(want, sizeof(want), "<field name=\"%s\" encoding=\"%s\"", f->name,
                     er_encoding_names[f->encoding]);
            at = strstr(at, want);
            cr_assert_not_null(at, "%s: %s", er_records[i].name, want);
        }
    }
    cr_assert_not_null(strstr(text, "<process pid=\"42\""));
    free(text);
    unlink(log_path);
}
