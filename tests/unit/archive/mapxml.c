/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/mapxml.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1\">\n"

static struct mapxml map;

static int
read_text(const char *text, size_t size)
{
    char dir[] = "/tmp/ertools-map.XXXXXX";
    int fd, file, status;

    cr_assert_not_null(mkdtemp(dir));
    fd = open(dir, O_RDONLY | O_DIRECTORY);
    file = openat(fd, "map.xml", O_WRONLY | O_CREAT, 0600);
    cr_assert_eq(write(file, text, size), (ssize_t)size);
    close(file);
    status = mapxml_read(&map, fd);
    unlinkat(fd, "map.xml", 0);
    close(fd);
    rmdir(dir);
    return status;
}

static int
read_string(const char *text)
{
    return read_text(text, strlen(text));
}

Test(mapxml, reads_objects)
{
    cr_assert_eq(read_string(
        HEAD "<object id=\"3\" kind=\"file\" name=\"/a &amp; &#x62;&quot;\" "
        "buildid=\"ab12\" flags=\"main\"/>\n<unload id=\"3\" time=\"456\"/>\n"
        "<object kind='vdso' id='4'/>\n</map>\n"), 0);
    cr_assert_eq(map.count, 2);
    cr_assert_str_eq(map.objects[0].name, "/a & b\"");
    cr_assert_str_eq(map.objects[0].buildid, "ab12");
    cr_assert_str_eq(map.objects[0].mtime, "");
    cr_assert_str_eq(map.objects[1].kind, "vdso");
    cr_assert_eq(map.malformed, 0);
    mapxml_free(&map);
}

Test(mapxml, reads_names_of_any_bytes)
{
    cr_assert_eq(read_string(HEAD "<object name=\"/a\\x1b\\xFF\\\\x41\\x00\\x4\\\"/>\n"
                                  "</map>\n"), 0);
    cr_assert_eq(map.count, 1);
    cr_assert_str_eq(map.objects[0].name, "/a\x1b\xff\\x41\\x00\\x4\\");
    mapxml_free(&map);
}

Test(mapxml, does_without_an_end)
{
    cr_assert_eq(read_string(HEAD "<object kind=\"file\" name=\"/a\"/>\n<object kind"),
                 0);
    cr_assert_eq(map.count, 1);
    cr_assert_eq(map.malformed, 0, "a line that is being written is no fault");
    mapxml_free(&map);
}

Test(mapxml, leaves_out_what_is_malformed)
{
    cr_assert_eq(read_string(HEAD "<object kind=\"file\" name=\"&evil;\"/>\n"
                             "<object kind=\"file\" name=\"/b\"/>\n</map>\n"), 0);
    cr_assert_eq(map.count, 1);
    cr_assert_eq(map.malformed, 1);
    cr_assert_eq(map.bad_at, strlen(HEAD));
    mapxml_free(&map);
}

Test(mapxml, refuses_other_files)
{
    cr_assert_eq(read_string("<!DOCTYPE map [<!ENTITY a \"b\">]>\n<map>\n</map>\n"),
                 -EINVAL);
    cr_assert_eq(read_string("nothing like it"), -EINVAL);
    cr_assert_eq(read_string(""), -EINVAL);
}

/* Every prefix, and every byte replaced. */
Test(mapxml, survives_any_change)
{
    char text[] = HEAD "<object id=\"3\" kind=\"file\" name=\"/a&#65;\"/>\n</map>\n";
    size_t size = strlen(text);

    for (size_t i = 0; i < size; i++) {
        static const char values[] = {'\0', '"', '<', '&', ';', '\xff'};
        char was = text[i];

        if (read_text(text, i) == 0)
            mapxml_free(&map);
        for (size_t k = 0; k < sizeof(values); k++) {
            text[i] = values[k];
            if (read_text(text, size) == 0)
                mapxml_free(&map);
        }
        text[i] = was;
    }
}
