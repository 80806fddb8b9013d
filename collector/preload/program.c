/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/preload/program.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <sys/auxv.h>

#include "collector/preload/phdr.h"

enum {
    SEARCHED = 65536, /* bytes of a writable segment, as in Go's own debug/buildinfo */
    STEP = 16,        /* alignment of the string that is searched for */
};

int
program_has_go_note(const char *p, const char *end)
{
    while (end - p >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)p;
        u64 name = (note->n_namesz + 3ull) & ~3ull;
        u64 desc = (note->n_descsz + 3ull) & ~3ull;

        p += sizeof(*note);
        if (name + desc > (u64)(end - p))
            return 0;
        if (note->n_namesz == 4 && !memcmp(p, "Go", 3))
            return 1;
        p += name + desc;
    }
    return 0;
}

/*
 * 1 if [p, end) has Go's build information, which always begins with this string: a Go
 * program may lack the note.
 */
static int
has_build_info(const char *p, const char *end)
{
    static const char magic[] = "\xff Go buildinf:";

    for (; end - p >= STEP; p += STEP)
        if (!memcmp(p, magic, sizeof(magic) - 1))
            return 1;
    return 0;
}

static int
needs_library(const ElfW(Dyn) *dynamic)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == DT_NEEDED)
            return 1;
    return 0;
}

enum program_kind
program_kind(void)
{
    const ElfW(Phdr) *ph = (const void *)getauxval(AT_PHDR);
    u64 count = getauxval(AT_PHNUM), bias = 0;
    int go = 0, needs = 0;

    for (u64 i = 0; ph && i < count; i++)
        if (ph[i].p_type == PT_PHDR)
            bias = (u64)(uintptr_t)ph - ph[i].p_vaddr;
    for (u64 i = 0; ph && i < count; i++) {
        const char *at = (const char *)(uintptr_t)(bias + ph[i].p_vaddr);
        u64 len = ph[i].p_filesz;

        if (!phdr_is_loaded(ph, count, &ph[i]))
            continue;
        if (ph[i].p_type == PT_NOTE)
            go |= program_has_go_note(at, at + len);
        else if (ph[i].p_type == PT_DYNAMIC)
            needs = needs_library((const void *)at);
        else if (ph[i].p_type == PT_LOAD && ph[i].p_flags & PF_W && !go)
            go = has_build_info(at, at + (len < SEARCHED ? len : SEARCHED));
    }
    return !go ? PROGRAM_USUAL : needs ? PROGRAM_GO : PROGRAM_GO_BARE;
}

/*
 * A sanitizer in the program replaces functions of libc for us, too. Many of its
 * functions call a null pointer until it is initialized, which normally happens after
 * our constructor.
 */
void __tsan_init(void) __attribute__((weak));
void __asan_init(void) __attribute__((weak));
void __lsan_init(void) __attribute__((weak));

void
program_start_sanitizer(void)
{
    if (__tsan_init)
        __tsan_init();
    if (__asan_init)
        __asan_init();
    if (__lsan_init)
        __lsan_init();
}
