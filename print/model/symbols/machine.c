/* SPDX-License-Identifier: Apache-2.0 */
#include "print/model/symbols/machine.h"

#include <elf.h>
#include <errno.h>
#include <stdlib.h>

enum {
    DECODE_MAX = 16 << 20, /* decode only that many bytes of a function */
};

int
machine_open(const struct objfile *file, csh *engine)
{
    struct objfile_info info;
    cs_mode mode;

    objfile_info(file, &info);
    if (info.machine == EM_X86_64)
        mode = CS_MODE_64;
    else if (info.machine == EM_386)
        mode = CS_MODE_32;
    else
        return -ENOTSUP;
    if (cs_open(CS_ARCH_X86, mode, engine) != CS_ERR_OK)
        return -ENOTSUP;
    cs_option(*engine, CS_OPT_DETAIL, CS_OPT_ON);
    cs_option(*engine, CS_OPT_SYNTAX, CS_OPT_SYNTAX_ATT);
    return 0;
}

void
machine_target(csh engine, const cs_insn *insn, struct machine_target *out)
{
    const cs_x86 *x86 = &insn->detail->x86;

    out->kind = TARGET_NONE;
    for (int i = 0; i < x86->op_count; i++) {
        const cs_x86_op *op = &x86->operands[i];

        if (op->type == X86_OP_IMM && (cs_insn_group(engine, insn, CS_GRP_JUMP) ||
                                       cs_insn_group(engine, insn, CS_GRP_CALL))) {
            out->kind = TARGET_BRANCH;
            out->addr = (u64)op->imm;
        } else if (op->type == X86_OP_MEM && op->mem.base == X86_REG_RIP &&
                   op->mem.index == X86_REG_INVALID) {
            out->kind = TARGET_DATA;
            out->addr = insn->address + insn->size + (u64)op->mem.disp;
        }
    }
}

/* Load the code of the function that contains vaddr. 0 or -errno. */
static int
enter(struct machine_run *run, u64 vaddr)
{
    struct objfile_symbol symbol;
    u64 size;
    long got;

    if (!run->opened && machine_open(run->file, &run->engine) < 0)
        return -ENOTSUP;
    run->opened = true;
    if (!run->insn)
        run->insn = cs_malloc(run->engine);
    free(run->code);
    run->code = NULL;
    run->end = 0;
    if (!run->insn || objfile_symbol(run->file, vaddr, &symbol) < 0)
        return -ENOENT;
    size = symbol.size < DECODE_MAX ? symbol.size : DECODE_MAX;
    run->code = malloc(size);
    got = run->code ? objfile_code(run->file, symbol.addr, run->code, size) : -ENOMEM;
    if (got <= 0)
        return -ENOENT;
    run->addr = run->next = run->start = symbol.addr;
    run->end = symbol.addr + (u64)got;
    return 0;
}

/* Decode the next instruction; if there is none, skip a byte. */
static void
step(struct machine_run *run)
{
    const unsigned char *code = run->code + (run->next - run->addr);
    size_t left = run->end - run->next;

    run->start = run->next;
    if (!cs_disasm_iter(run->engine, &code, &left, &run->next, run->insn))
        run->next++;
}

u64
machine_start(struct machine_run *run, u64 vaddr)
{
    bool inside = run->end && vaddr >= run->start && vaddr < run->end;

    if (!inside && enter(run, vaddr) < 0)
        return vaddr;
    if (vaddr >= run->end)
        return vaddr;
    while (run->next <= vaddr)
        step(run);
    return run->start;
}

void
machine_run_close(struct machine_run *run)
{
    if (run->insn)
        cs_free(run->insn, 1);
    if (run->opened)
        cs_close(&run->engine);
    free(run->code);
}
