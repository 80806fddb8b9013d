/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/inspect/preflight.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char scratch[64];
static struct preflight result;

static void
make_dir(void)
{
    strcpy(scratch, "/tmp/ertools-preflight.XXXXXX");
    cr_assert_not_null(mkdtemp(scratch));
    cr_assert_eq(chdir(scratch), 0);
}

static void
remove_dir(void)
{
    char command[128] = "rm -rf ";

    cr_assert_eq(system(strcat(command, scratch)), 0);
}

TestSuite(preflight, .init = make_dir, .fini = remove_dir);

static enum image_kind
look(const char *name, const void *data, size_t len)
{
    FILE *f = fopen(name, "w");

    cr_assert_not_null(f);
    cr_assert_eq(fwrite(data, 1, len, f), len);
    fclose(f);
    cr_assert_eq(chmod(name, 0755), 0);
    preflight_read(name, &result);
    return result.kind;
}

/* A program with up to two segments; interp NULL = none. */
struct crafted {
    Elf64_Ehdr eh;
    Elf64_Phdr ph[2];
    char interp[64];
};

static struct crafted
craft(const char *interp)
{
    struct crafted c = { .eh = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64,
                                              ELFDATA2LSB, EV_CURRENT },
                                 .e_type = ET_DYN,
                                 .e_machine = EM_X86_64,
                                 .e_phoff = sizeof(Elf64_Ehdr),
                                 .e_phentsize = sizeof(Elf64_Phdr),
                                 .e_phnum = 2 } };

    c.ph[0].p_type = PT_LOAD;
    if (interp) {
        c.ph[1].p_type = PT_INTERP;
        c.ph[1].p_offset = offsetof(struct crafted, interp);
        c.ph[1].p_filesz = strlen(interp) + 1;
        strcpy(c.interp, interp);
    }
    return c;
}

Test(preflight, dynamic_and_static)
{
    struct crafted c = craft("/lib64/ld-linux-x86-64.so.2");

    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DYNAMIC);
    cr_assert(image_loads(result.kind));
    c = craft(NULL);
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_STATIC);
    cr_assert_not(image_loads(result.kind));
    cr_assert_eq(look("ld-linux-x86-64.so.2", &c, sizeof(c)), IMAGE_DYNAMIC,
                 "the loader, run by name, loads what it is told to");
}

Test(preflight, other_loaders_and_machines)
{
    struct crafted c = craft("/lib/ld-musl-x86_64.so.1");

    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_MUSL);
    c = craft("/lib/ld-linux-aarch64.so.1");
    c.eh.e_machine = EM_AARCH64;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_FOREIGN);
    c.eh.e_ident[EI_DATA] = ELFDATA2MSB;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_FOREIGN);
    c.eh.e_ident[EI_CLASS] = ELFCLASS32;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_NARROW);
}

Test(preflight, damage)
{
    struct crafted c = craft("/lib64/ld-linux-x86-64.so.2");

    cr_assert_eq(look("a", &c, 20), IMAGE_DAMAGED);
    cr_assert_eq(look("a", &c, sizeof(c.eh) + 30), IMAGE_DAMAGED);
    c.eh.e_ident[EI_CLASS] = 9;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DAMAGED);
    c = craft("/lib64/ld-linux-x86-64.so.2");
    c.eh.e_phnum = 0xffff;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DAMAGED);
    c.eh.e_phnum = 2;
    c.eh.e_phoff = UINT64_MAX - 8;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DAMAGED);
    c = craft("/lib64/ld-linux-x86-64.so.2");
    c.ph[1].p_offset = 1 << 30;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DAMAGED);
    c.ph[1].p_offset = 0;
    c.ph[1].p_filesz = UINT64_MAX;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DYNAMIC, "a name of any bytes");
    c.eh.e_phentsize = 3;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DAMAGED);
}

Test(preflight, rights)
{
    struct crafted c = craft("/lib64/ld-linux-x86-64.so.2");

    if (getuid() != 0)
        return;
    cr_assert_eq(look("a", &c, sizeof(c)), IMAGE_DYNAMIC);
    cr_assert_eq(chown("a", 65534, 65534) | chmod("a", 04755), 0);
    preflight_read("a", &result);
    cr_assert_eq(result.kind, IMAGE_SECURE);
    cr_assert_eq(chmod("a", 02755), 0);
    preflight_read("a", &result);
    cr_assert_eq(result.kind, IMAGE_SECURE);
    cr_assert_eq(chmod("a", 02745), 0, "no group execution: mandatory locking");
    preflight_read("a", &result);
    cr_assert_eq(result.kind, IMAGE_DYNAMIC);
}

Test(preflight, scripts)
{
    struct crafted c = craft("/lib64/ld-linux-x86-64.so.2");
    char line[128];
    int len;

    cr_assert_eq(look("inner", &c, sizeof(c)), IMAGE_DYNAMIC);
    len = sprintf(line, "#! %s/inner -x -y\n", scratch);
    cr_assert_eq(look("script", line, (size_t)len), IMAGE_DYNAMIC);
    cr_assert_eq(result.scripts, 1);
    cr_assert_str_eq(strrchr(result.program, '/'), "/inner");
    len = sprintf(line, "#!%s/script", scratch);
    cr_assert_eq(look("outer", line, (size_t)len), IMAGE_DYNAMIC);
    cr_assert_eq(result.scripts, 2);
    c = craft(NULL);
    cr_assert_eq(look("inner", &c, sizeof(c)), IMAGE_STATIC);
    preflight_read("outer", &result);
    cr_assert_eq(result.kind, IMAGE_STATIC, "seen through two scripts");
}

Test(preflight, what_the_shell_runs)
{
    look("text", "echo hello\n", 11);
    cr_assert_eq(result.shell, 1);
    cr_assert_str_eq(result.program, "/bin/sh");
    look("empty", "", 0);
    cr_assert_eq(result.shell, 1);
    look("bare", "#!\n", 3);
    cr_assert_eq(result.shell, 1);
}

Test(preflight, a_circle_ends)
{
    char line[128];
    int len = sprintf(line, "#!%s/self\n", scratch);

    cr_assert_eq(look("self", line, (size_t)len), IMAGE_UNREAD);
    preflight_read("not-there", &result);
    cr_assert_eq(result.kind, IMAGE_UNREAD);
}

Test(preflight, each_kind_has_its_reason)
{
    for (int i = 0; i < IMAGE_KINDS; i++)
        cr_assert_not_null(image_reason((enum image_kind)i));
}
