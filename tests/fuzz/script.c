/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: what er_print reads as text: scripts, rc files and groups of
 * experiments; the first byte chooses. Without slashes, lest a script write where it
 * should not. tests/fuzz/run builds it.
 */
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tests/fuzz/print_all.h"
#include "tests/fuzz/scratch.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    char command[4200];

    (void)argc;
    (void)argv;
    scratch_start();
    snprintf(command, sizeof(command), "cp -r %s/tests/experiments/*.er .",
             getenv("TOP_SRC") ? getenv("TOP_SRC") : ".");
    if (system(command) || mkdir("w", 0700) || chdir("w") ||
        symlink("../mix.er", "m.er") || symlink("../heap.er", "h.er"))
        abort();
    return 0;
}

/* Text is at most so long: reading numbers is tried elsewhere, patience is not. */
enum { TEXT_MAX = 1024 };

static void
script(const char *text, bool rc)
{
    FILE *f = fmemopen((void *)(uintptr_t)text, strlen(text), "r");
    struct shell sh;

    if (!f)
        abort();
    print_all_start(&sh);
    shell_add(&sh, "m.er");
    shell_add(&sh, "h.er");
    sh.rc = rc;
    run_stream(&sh, f, "fuzz");
    sh.rc = false;
    fclose(f);
    print_all_end(&sh);
}

static void
group(const char *text)
{
    struct shell sh;

    print_all_put("g.erg", text, strlen(text));
    print_all_start(&sh);
    shell_add(&sh, "g.erg");
    print_all_end(&sh);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX + 1];

    if (size < 2 || size - 1 > TEXT_MAX)
        return 0;
    for (size_t i = 1; i < size; i++)
        text[i - 1] = data[i] == '/' || !data[i] ? ' ' : (char)data[i];
    text[size - 1] = '\0';
    if (data[0] % 4 == 1)
        script(text, true);
    else if (data[0] % 4 == 2)
        group(text);
    else
        script(text, false);
    return 0;
}
