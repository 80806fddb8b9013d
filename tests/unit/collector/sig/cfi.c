/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>

#include "collector/sig/cfi.h"
#include "collector/sig/loaded.h"
#include "collector/sig/rule.h"

/* Call frame information made by hand: a header, .eh_frame, and "code". */
static struct {
    unsigned char hdr[64];
    unsigned char frames[1024];
    unsigned char code[512];
} image;

static u32 used; /* bytes of frames */

static void
put(const void *bytes, u32 len)
{
    memcpy(image.frames + used, bytes, len);
    used += len;
}

static void
put32(int64_t value)
{
    int32_t v = (int32_t)value;

    put(&v, 4);
}

static void
put_bytes(const char *bytes, u32 len)
{
    put(bytes, len);
}

#define PUT(literal) put_bytes(literal, sizeof(literal) - 1)

/* Close the record that began at start: its length, padded with DW_CFA_nop. */
static void
close_record(u32 start)
{
    u32 len;

    while (used % 8 != 4)
        PUT("\0");
    len = used - start - 4;
    memcpy(image.frames + start, &len, 4);
}

/* CFA = rsp + 8, return address at CFA - 8. */
static u32
put_cie(const char *augmentation)
{
    u32 start = used;

    put32(0);
    put32(0);
    PUT("\1");
    put(augmentation, (u32)strlen(augmentation) + 1);
    PUT("\1\x78\x10\1\x1b");
    PUT("\x0c\7\x08\x90\1");
    close_record(start);
    return start;
}

/* An FDE for code [from, from + len). */
static u32
put_fde(u32 cie, u32 from, u32 len, const char *instructions, u32 bytes)
{
    u32 start = used;

    put32(0);
    put32((int64_t)(used - cie));
    put32((int64_t)(image.code + from - (image.frames + used)));
    put32(len);
    PUT("\0");
    put(instructions, bytes);
    close_record(start);
    return start;
}

#define FDE(cie, from, len, literal) \
    put_fde(cie, from, len, literal, sizeof(literal) - 1)

/* The table for n FDEs, sorted by code as given; table_encoding 0xff: none. */
static void
put_header(const u32 *from, const u32 *fde, u32 n, unsigned char table_encoding)
{
    int32_t value = (int32_t)(image.frames - (image.hdr + 4));

    put32(0);
    memcpy(image.hdr, "\1\x1b\3", 3);
    image.hdr[3] = table_encoding;
    memcpy(image.hdr + 4, &value, 4);
    memcpy(image.hdr + 8, &n, 4);
    for (u32 i = 0; i < n; i++) {
        value = (int32_t)(image.code + from[i] - image.hdr);
        memcpy(image.hdr + 12 + 8 * i, &value, 4);
        value = (int32_t)(image.frames + fde[i] - image.hdr);
        memcpy(image.hdr + 16 + 8 * i, &value, 4);
    }
}

static void
publish(void)
{
    struct objtab_object o = {
        .lo = (u64)(uintptr_t)image.code,
        .hi = (u64)(uintptr_t)image.code + sizeof(image.code),
        .hdr = (u64)(uintptr_t)image.hdr,
        .hdr_size = sizeof(image.hdr),
        .instance = 3,
    };

    cr_assert_eq(loaded_add(&o), 0);
}

/* One FDE for code [16, 80). */
static void
one(const char *augmentation, const char *instructions, u32 bytes,
    unsigned char encoding)
{
    u32 cie, fde, from = 16;

    used = 0;
    memset(image.code, 0x90, sizeof(image.code));
    cie = put_cie(augmentation);
    fde = put_fde(cie, from, 64, instructions, bytes);
    put_header(&from, &fde, 1, encoding);
    publish();
}

#define ONE(literal) one("zR", literal, sizeof(literal) - 1, 0x3b)

/* The rule where the next instruction to run is at code + at. */
static u64
rule_at(u32 at)
{
    struct mem m;

    mem_init(&m, 0, 0);
    return cfi_rule(&m, (u64)(uintptr_t)image.code + at, 1);
}

#define SP_RULE(cfa) rule_pack(RULE_SP, RULE_BP_SAME, 0, 0, cfa)

Test(cfi, a_prologue_and_an_epilogue)
{
    /* push rbp; mov rsp, rbp; ...; pop rbp; ret */
    ONE("\x41\x0e\x10\x86\2\x43\x0d\6\x48\x0a\xc6\x0c\7\x08\x41\x0b");
    cr_assert_eq(rule_at(16), SP_RULE(8));
    cr_assert_eq(rule_at(17), rule_pack(RULE_SP, RULE_BP_AT_CFA, 0, -16, 16));
    cr_assert_eq(rule_at(20), rule_pack(RULE_BP, RULE_BP_AT_CFA, 0, -16, 16));
    cr_assert_eq(rule_at(28), SP_RULE(8), "restored");
    cr_assert_eq(rule_at(29), rule_pack(RULE_BP, RULE_BP_AT_CFA, 0, -16, 16));
    cr_assert_eq(rule_at(79), rule_at(29));
}

Test(cfi, outside_of_all_functions)
{
    ONE("");
    cr_assert_eq(rule_kind(rule_at(15)), RULE_NO_CFI);
    cr_assert_eq(rule_kind(rule_at(80)), RULE_NO_CFI);
}

Test(cfi, a_return_address_belongs_to_the_call_before_it)
{
    u32 from[] = { 16, 48 }, fde[2], cie;
    u64 code = (u64)(uintptr_t)image.code;
    struct mem m;

    used = 0;
    cie = put_cie("zR");
    fde[0] = FDE(cie, 16, 32, "\x0e\x20");
    fde[1] = FDE(cie, 48, 32, "\x0e\x40");
    put_header(from, fde, 2, 0x3b);
    publish();
    memset(image.code, 0x90, sizeof(image.code));
    mem_init(&m, 0, 0);
    cr_assert_eq(cfi_rule(&m, code + 40, 0), SP_RULE(32));
    cr_assert_eq(cfi_rule(&m, code + 48, 0), SP_RULE(64), "no call ends here");
    memcpy(image.code + 43, "\xe8\0\0\0\0", 5);
    cr_assert_eq(cfi_rule(&m, code + 48, 0), SP_RULE(32), "a call at the end");
    cr_assert_eq(cfi_rule(&m, code + 48, 1), SP_RULE(64));
    memcpy(image.code + 46, "\xff\xd0", 2);
    cr_assert_eq(cfi_rule(&m, code + 48, 0), SP_RULE(32), "an indirect call");
}

Test(cfi, without_a_table_the_frames_are_read_through)
{
    one("zR", "\x0e\x30", 2, 0xff);
    cr_assert_eq(rule_at(20), SP_RULE(48));
    cr_assert_eq(rule_kind(rule_at(100)), RULE_NO_CFI);
}

Test(cfi, an_undefined_return_address_is_the_root)
{
    ONE("\7\x10");
    cr_assert_eq(rule_kind(rule_at(16)), RULE_ROOT);
}

Test(cfi, linkage_stubs)
{
    ONE("\x0f\x0b\x77\x08\x80\0\x3f\x1a\x3b\x2a\x33\x24\x22");
    for (u32 at = 16; at < 80; at++) {
        u64 pc = (u64)(uintptr_t)image.code + at;

        cr_assert_eq(rule_at(at), SP_RULE((pc & 15) >= 11 ? 16 : 8));
    }
}

Test(cfi, realigned_frames)
{
    /* CFA = r10; then CFA = *(rbp - 8), and rbp is where it points */
    ONE("\x0c\x0a\0\x44\x10\6\2\x76\0\x0f\3\x76\x78\6");
    cr_assert_eq(rule_at(16), rule_pack(RULE_REG, RULE_BP_SAME, 10, 0, 0));
    cr_assert_eq(rule_at(20), rule_pack(RULE_BP_LOAD, RULE_BP_AT_BP, -1, 0, 0));
}

Test(cfi, a_realigned_frame_ends_with_bp_restored)
{
    ONE("\x10\6\2\x76\0\x0c\x0a\0\x44\x0c\7\x08");
    memcpy(image.code + 17, "\x49\x8d\x62\xf8\xc3", 5);
    cr_assert_eq(rule_at(16), rule_pack(RULE_REG, RULE_BP_AT_BP, 10, 0, 0));
    cr_assert_eq(rule_at(17), rule_pack(RULE_REG, RULE_BP_SAME, 10, 0, 0));
    cr_assert_eq(rule_at(21), SP_RULE(8));
}

Test(cfi, the_frame_address_behind_a_pointer)
{
    ONE("\x0f\6\x77\x38\6\x23\x88\1");
    cr_assert_eq(rule_at(16), rule_pack(RULE_SP_LOAD, RULE_BP_SAME, 7, 0, 136));
}

Test(cfi, what_has_no_word_needs_all_registers)
{
    ONE("\x0f\3\x73\x08\x1f"); /* -(rbx + 8) */
    cr_assert_eq(rule_kind(rule_at(16)), RULE_FULL);
    ONE("\x86\x83\x40"); /* rbp far away */
    cr_assert_eq(rule_kind(rule_at(16)), RULE_FULL);
    ONE("\x09\6\3"); /* rbp in rbx */
    cr_assert_eq(rule_kind(rule_at(16)), RULE_FULL);
}

Test(cfi, all_registers)
{
    u64 stack[16] = { 0 };
    struct regs regs = { .known = REGS_ALL };
    struct mem m;
    u32 exact = 1;

    /* CFA = rbx + 16; rbp in r12; r13 at *(CFA - 24); r12 = CFA - 32 */
    ONE("\x0c\3\x10\x09\6\x0c\x8d\3\x14\x0c\4");
    for (u32 i = 0; i < REGS_COUNT; i++)
        regs.r[i] = 100 + i;
    regs.pc = (u64)(uintptr_t)image.code + 16;
    regs.r[3] = (u64)(uintptr_t)&stack[6]; /* CFA = &stack[8] */
    stack[7] = 0x4321;
    stack[5] = 0x1313;
    mem_init(&m, 0, 0);
    cr_assert_eq(cfi_step(&m, &regs, &exact), 0);
    cr_assert_eq(exact, 0u);
    cr_assert_eq(regs.pc, 0x4321u);
    cr_assert_eq(regs.r[REGS_SP], (u64)(uintptr_t)&stack[8]);
    cr_assert_eq(regs.r[REGS_BP], 112u);
    cr_assert_eq(regs.r[13], 0x1313u);
    cr_assert_eq(regs.r[12], (u64)(uintptr_t)&stack[4]);
    cr_assert_eq(regs.r[14], 114u);
    cr_assert_eq(regs.known, (u32)REGS_ALL);
}

Test(cfi, a_step_that_cannot_be_leaves_the_registers)
{
    struct regs regs = { .known = REGS_ALL }, before;
    struct mem m;
    u32 exact = 1;

    ONE("\x0c\3\x10");
    regs.pc = (u64)(uintptr_t)image.code + 16;
    regs.r[3] = 1; /* a CFA where nothing can be read */
    before = regs;
    mem_init(&m, 0, 0);
    cr_assert_eq(cfi_step(&m, &regs, &exact), -EFAULT);
    regs.known &= ~(1u << 3);
    cr_assert_eq(cfi_step(&m, &regs, &exact), -EINVAL);
    before.known = regs.known;
    cr_assert_eq(memcmp(&regs, &before, sizeof(regs)), 0);
}

Test(cfi, broken_instructions)
{
    ONE("\x0b"); /* nothing remembered */
    cr_assert_eq(rule_kind(rule_at(16)), RULE_NO_CFI);
    ONE("\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a\x0a");
    cr_assert_eq(rule_kind(rule_at(16)), RULE_NO_CFI);
    ONE("\x3e"); /* no such instruction */
    cr_assert_eq(rule_kind(rule_at(16)), RULE_NO_CFI);
    ONE("\x0f\x7f\x77"); /* a block that goes beyond the end */
    cr_assert_eq(rule_kind(rule_at(16)), RULE_NO_CFI);
    ONE("\x0c\x7f\x08"); /* no such register */
    cr_assert_eq(rule_kind(rule_at(16)), RULE_NO_CFI);
    ONE("\x40\xff\xff\xff"); /* advance by 0, vector registers */
    cr_assert_eq(rule_at(16), SP_RULE(8));
    one("zQQQ", "", 0, 0x3b); /* z tells the length of what it does not know */
    cr_assert_neq(rule_at(16), 0u);
    one("Q", "", 0, 0x3b);
    cr_assert_eq(rule_kind(rule_at(16)), RULE_NO_CFI);
}

Test(cfi, an_expression_that_loops_ends)
{
    struct regs regs = { .known = REGS_ALL };
    struct mem m;
    u32 exact = 1;

    ONE("\x0f\3\x2f\xfd\xff"); /* skip -3 */
    regs.pc = (u64)(uintptr_t)image.code + 16;
    mem_init(&m, 0, 0);
    cr_assert_eq(cfi_step(&m, &regs, &exact), -EBADMSG);
}

/* The C library's own information, copied to where it can be broken. */
static struct objtab_object original, copy;
static unsigned char *copied;
static size_t copied_bytes;
static int64_t shift;

static int
copy_libc(struct dl_phdr_info *info, size_t size, void *arg)
{
    u64 base = info->dlpi_addr;
    const ElfW(Phdr) *hdr = NULL;

    (void)size;
    (void)arg;
    if (!strstr(info->dlpi_name, "libc.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME)
            hdr = &info->dlpi_phdr[i];
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];

        if (p->p_type != PT_LOAD)
            continue;
        if (p->p_flags & PF_X) {
            original.lo = base + p->p_vaddr;
            original.hi = original.lo + p->p_memsz;
        }
        if (hdr->p_vaddr >= p->p_vaddr && hdr->p_vaddr < p->p_vaddr + p->p_memsz) {
            copied_bytes = p->p_vaddr + p->p_memsz - hdr->p_vaddr;
            original.hdr = base + hdr->p_vaddr;
            original.hdr_size = hdr->p_memsz;
        }
    }
    return 1;
}

static void
set_up_copy(void)
{
    dl_iterate_phdr(copy_libc, NULL);
    cr_assert_neq(original.hdr, 0u);
    copied = mmap(NULL, copied_bytes + 8192, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    copied += original.hdr & 4095; /* linkage stubs: their place modulo 16 counts */
    memcpy(copied, (const void *)(uintptr_t)original.hdr, copied_bytes);
    shift = (int64_t)((u64)(uintptr_t)copied - original.hdr);
    original.instance = 1;
    copy = original;
    copy.instance = 2;
    copy.lo += (u64)shift;
    copy.hi += (u64)shift;
    copy.hdr += (u64)shift;
    cr_assert_eq(loaded_add(&original), 0);
    cr_assert_eq(loaded_add(&copy), 0);
}

static u64 state = 88172645463325252u;

static u64
random64(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

Test(cfi, a_copy_says_the_same)
{
    u32 rules = 0;

    set_up_copy();
    for (int i = 0; i < 20000; i++) {
        u64 pc = original.lo + random64() % (original.hi - original.lo);
        struct mem m;
        u64 rule;

        mem_init(&m, 0, 0);
        rule = cfi_rule(&m, pc, 1);
        if (rule_kind(rule) != RULE_SP && rule_kind(rule) != RULE_BP)
            continue;
        rules++;
        cr_assert_eq(cfi_rule(&m, pc + (u64)shift, 1), rule, "at text + 0x%llx",
                     (unsigned long long)(pc - original.lo));
    }
    cr_assert_gt(rules, 10000u);
}

/* Whatever the bytes say: no crash, no loop, and only rules that there are. */
Test(cfi, random_damage_does_no_harm, .timeout = 60)
{
    static u64 stack[512];
    u32 errors = 0;

    set_up_copy();
    for (int i = 0; i < 200000; i++) {
        u64 pc = copy.lo + random64() % (copy.hi - copy.lo);
        struct regs regs = { .known = REGS_ALL, .pc = pc };
        u32 exact = 1;
        struct mem m;
        u64 rule;

        for (int k = 0; k < 8; k++)
            copied[random64() % copied_bytes] ^= (unsigned char)(1u << random64() % 8);
        for (u32 k = 0; k < REGS_COUNT; k++)
            regs.r[k] = (u64)(uintptr_t)&stack[random64() % 512];
        mem_init(&m, (u64)(uintptr_t)stack, (u64)(uintptr_t)(stack + 512));
        rule = cfi_rule(&m, pc, 1);
        cr_assert(rule_kind(rule) >= RULE_SP && rule_kind(rule) <= RULE_NO_CODE);
        errors += cfi_step(&m, &regs, &exact) != 0;
    }
    cr_assert_gt(errors, 1000u, "the damage was seen");
}
