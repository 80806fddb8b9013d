/* SPDX-License-Identifier: Apache-2.0 */
#include "print/load/log.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "share/record.h"

#define HEAD                                                          \
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"                    \
    "<experiment version=\"1\">\n<process wd=\"/w\">\n<arg>a</arg>\n" \
    "<arg>b &lt;c&gt; \\x01\\\\</arg>\n</process>\n"
#define FILE_ELEMENT                                                         \
    "<file name=\"profile\" layout=\"chunks\" time_shift=\"3\">\n"           \
    "<record name=\"clock\" number=\"1\">\n"                                 \
    "<field name=\"time\" encoding=\"time\" unit=\"tick\"/>\n"               \
    "<field name=\"new\" encoding=\"of the future\"/>\n</record>\n</file>\n"
#define EVENT "<event kind=\"run\" id=\"run\" time=\"5\" pid=\"7\">it ran</event>\n"
#define END "</experiment>\n"

static struct problems problems;
static struct log parsed;

static int
parse(const char *text)
{
    log_free(&parsed);
    problems_free(&problems);
    return log_parse(&parsed, text, strlen(text), "x/log.xml", &problems);
}

/* Does a sentence on the log hold this? */
static bool
told(const char *what)
{
    for (u32 i = 0; i < problems.count; i++)
        if (strstr(problems.text[i], what))
            return true;
    return false;
}

Test(log, facts_arguments_events_and_schema)
{
    const struct schema_file *file;

    cr_assert_eq(parse(HEAD FILE_ELEMENT EVENT END), 0);
    cr_assert_eq(problems.count, 0);
    cr_assert(parsed.closed);
    cr_assert_str_eq(log_fact(&parsed, "process", "wd"), "/w");
    cr_assert_null(log_fact(&parsed, "process", "none"));
    cr_assert_eq(parsed.nargs, 2);
    cr_assert_str_eq(parsed.arg[1], "b <c> \1\\");
    cr_assert_eq(parsed.nevents, 1);
    cr_assert_str_eq(parsed.event[0].sentence, "it ran");
    cr_assert_eq(log_event_number(&parsed.event[0], "pid", 0), 7);
    cr_assert_eq(log_event_number(&parsed.event[0], "kind", 9), 9);
    file = schema_find_file(&parsed.schema, "profile");
    cr_assert_not_null(file);
    cr_assert_eq(file->time_shift, 3);
    cr_assert_eq(file->record[1].nfields, 2);
    cr_assert_eq(file->record[1].field[1].encoding, ENC_COUNT);
}

Test(log, first_and_last_event)
{
    cr_assert_eq(parse(HEAD EVENT
                       "<event kind=\"x\" id=\"run\" time=\"6\"/>\n" END), 0);
    cr_assert_eq(log_find_event(&parsed, "run")->mono, 5);
    cr_assert_eq(log_last_event(&parsed, "run")->mono, 6);
    cr_assert_null(log_find_event(&parsed, "end"));
}

Test(log, missing_end_is_no_problem)
{
    cr_assert_eq(parse(HEAD EVENT), 0);
    cr_assert_not(parsed.closed);
    cr_assert_eq(parsed.nevents, 1);
    cr_assert_eq(problems.count, 0);
}

Test(log, torn_last_line_is_left_out_and_told)
{
    cr_assert_eq(parse(HEAD EVENT "<event kind=\"warning\" id=\"x\" ti"), 0);
    cr_assert_eq(parsed.nevents, 1);
    cr_assert(told("is torn"));
}

Test(log, broken_line_is_left_out_and_told)
{
    const char *bad[] = {
        "<event kind=\"warning\" id=\"x\" <<<>\n",
        "\xff\xfe<a/>\n",
        "<open>&what;</open>\n",
        "</process>\n",
        "<a b=\"1\" b=\"2\"/>\n",
    };

    for (u32 i = 0; i < ER_COUNT(bad); i++) {
        char text[2000];

        snprintf(text, sizeof(text), "%s%s%s%s", HEAD, bad[i], EVENT, END);
        cr_assert_eq(parse(text), 0, "line %u", i);
        cr_assert(told("x/log.xml: the line at offset"), "line %u", i);
        cr_assert_eq(parsed.nevents, 1, "line %u", i);
        cr_assert(parsed.closed, "line %u", i);
        cr_assert_str_eq(log_fact(&parsed, "process", "wd"), "/w");
    }
}

Test(log, entities_of_its_own_are_refused)
{
    cr_assert_eq(parse("<?xml version=\"1.0\"?>\n"
                       "<!DOCTYPE experiment [<!ENTITY a \"x\">"
                       "<!ENTITY f SYSTEM \"file:///etc/passwd\">]>\n"
                       "<experiment>\n<arg>&f;&a;</arg>\n<arg>kept</arg>\n" END), 0);
    cr_assert(told("is damaged"));
    for (u32 i = 0; i < parsed.nargs; i++)
        cr_assert_null(strstr(parsed.arg[i], "root:"));
}

Test(log, no_log_at_all)
{
    cr_assert_eq(parse("<other>\n</other>\n"), -EBADMSG);
    cr_assert_eq(parse("ELF\n\n"), -EBADMSG);
    cr_assert_eq(parse("<?xml version=\"2"), -EBADMSG);
}

Test(log, cut_off_at_its_beginning)
{
    cr_assert_eq(parse(""), 0);
    cr_assert_eq(parse("<?xml vers"), 0);
    cr_assert_eq(parsed.nevents, 0);
    cr_assert_eq(problems.count, 1);
}

Test(log, foolish_schema_is_left_out)
{
    const char *bad[] = {
        "<file name=\"x\" layout=\"round\"/>\n",
        "<file name=\"x\" layout=\"rows\" time_shift=\"64\"/>\n",
        "<file layout=\"rows\"/>\n",
        "<file name=\"a-name-that-is-longer-than-any-name-may-be\" layout=\"rows\"/>\n",
        "<record name=\"r\" number=\"1\"/>\n",
        "<file name=\"x\" layout=\"rows\"/>\n<record name=\"r\" number=\"7\"/>\n",
        "<file name=\"x\" layout=\"rows\"/>\n<field name=\"f\" encoding=\"u32\"/>\n",
    };

    for (u32 i = 0; i < ER_COUNT(bad); i++) {
        char text[1000];

        snprintf(text, sizeof(text), "%s%s%s", HEAD, bad[i], END);
        cr_assert_eq(parse(text), 0);
        cr_assert(told("makes no sense"), "case %u", i);
    }
}
