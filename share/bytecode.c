/* SPDX-License-Identifier: Apache-2.0 */
#include "share/bytecode.h"

const struct bytecode bytecodes[BYTECODE_COUNT] = {
    { "nop", '.' }, { "aconst_null", '.' }, { "iconst_m1", '.' }, { "iconst_0", '.' },
    { "iconst_1", '.' }, { "iconst_2", '.' }, { "iconst_3", '.' }, { "iconst_4", '.' },
    { "iconst_5", '.' }, { "lconst_0", '.' }, { "lconst_1", '.' }, { "fconst_0", '.' },
    { "fconst_1", '.' }, { "fconst_2", '.' }, { "dconst_0", '.' }, { "dconst_1", '.' },
    { "bipush", 'b' }, { "sipush", 's' }, { "ldc", 'c' }, { "ldc_w", 'C' },
    { "ldc2_w", 'C' }, { "iload", 'l' }, { "lload", 'l' }, { "fload", 'l' },
    { "dload", 'l' }, { "aload", 'l' }, { "iload_0", '.' }, { "iload_1", '.' },
    { "iload_2", '.' }, { "iload_3", '.' }, { "lload_0", '.' }, { "lload_1", '.' },
    { "lload_2", '.' }, { "lload_3", '.' }, { "fload_0", '.' }, { "fload_1", '.' },
    { "fload_2", '.' }, { "fload_3", '.' }, { "dload_0", '.' }, { "dload_1", '.' },
    { "dload_2", '.' }, { "dload_3", '.' }, { "aload_0", '.' }, { "aload_1", '.' },
    { "aload_2", '.' }, { "aload_3", '.' }, { "iaload", '.' }, { "laload", '.' },
    { "faload", '.' }, { "daload", '.' }, { "aaload", '.' }, { "baload", '.' },
    { "caload", '.' }, { "saload", '.' }, { "istore", 'l' }, { "lstore", 'l' },
    { "fstore", 'l' }, { "dstore", 'l' }, { "astore", 'l' }, { "istore_0", '.' },
    { "istore_1", '.' }, { "istore_2", '.' }, { "istore_3", '.' }, { "lstore_0", '.' },
    { "lstore_1", '.' }, { "lstore_2", '.' }, { "lstore_3", '.' }, { "fstore_0", '.' },
    { "fstore_1", '.' }, { "fstore_2", '.' }, { "fstore_3", '.' }, { "dstore_0", '.' },
    { "dstore_1", '.' }, { "dstore_2", '.' }, { "dstore_3", '.' }, { "astore_0", '.' },
    { "astore_1", '.' }, { "astore_2", '.' }, { "astore_3", '.' }, { "iastore", '.' },
    { "lastore", '.' }, { "fastore", '.' }, { "dastore", '.' }, { "aastore", '.' },
    { "bastore", '.' }, { "castore", '.' }, { "sastore", '.' }, { "pop", '.' },
    { "pop2", '.' }, { "dup", '.' }, { "dup_x1", '.' }, { "dup_x2", '.' },
    { "dup2", '.' }, { "dup2_x1", '.' }, { "dup2_x2", '.' }, { "swap", '.' },
    { "iadd", '.' }, { "ladd", '.' }, { "fadd", '.' }, { "dadd", '.' }, { "isub", '.' },
    { "lsub", '.' }, { "fsub", '.' }, { "dsub", '.' }, { "imul", '.' }, { "lmul", '.' },
    { "fmul", '.' }, { "dmul", '.' }, { "idiv", '.' }, { "ldiv", '.' }, { "fdiv", '.' },
    { "ddiv", '.' }, { "irem", '.' }, { "lrem", '.' }, { "frem", '.' }, { "drem", '.' },
    { "ineg", '.' }, { "lneg", '.' }, { "fneg", '.' }, { "dneg", '.' }, { "ishl", '.' },
    { "lshl", '.' }, { "ishr", '.' }, { "lshr", '.' }, { "iushr", '.' },
    { "lushr", '.' }, { "iand", '.' }, { "land", '.' }, { "ior", '.' }, { "lor", '.' },
    { "ixor", '.' }, { "lxor", '.' }, { "iinc", 'i' }, { "i2l", '.' }, { "i2f", '.' },
    { "i2d", '.' }, { "l2i", '.' }, { "l2f", '.' }, { "l2d", '.' }, { "f2i", '.' },
    { "f2l", '.' }, { "f2d", '.' }, { "d2i", '.' }, { "d2l", '.' }, { "d2f", '.' },
    { "i2b", '.' }, { "i2c", '.' }, { "i2s", '.' }, { "lcmp", '.' }, { "fcmpl", '.' },
    { "fcmpg", '.' }, { "dcmpl", '.' }, { "dcmpg", '.' }, { "ifeq", 'j' },
    { "ifne", 'j' }, { "iflt", 'j' }, { "ifge", 'j' }, { "ifgt", 'j' }, { "ifle", 'j' },
    { "if_icmpeq", 'j' }, { "if_icmpne", 'j' }, { "if_icmplt", 'j' },
    { "if_icmpge", 'j' }, { "if_icmpgt", 'j' }, { "if_icmple", 'j' },
    { "if_acmpeq", 'j' }, { "if_acmpne", 'j' }, { "goto", 'j' }, { "jsr", 'j' },
    { "ret", 'l' }, { "tableswitch", 't' }, { "lookupswitch", 'T' }, { "ireturn", '.' },
    { "lreturn", '.' }, { "freturn", '.' }, { "dreturn", '.' }, { "areturn", '.' },
    { "return", '.' }, { "getstatic", 'F' }, { "putstatic", 'F' }, { "getfield", 'F' },
    { "putfield", 'F' }, { "invokevirtual", 'M' }, { "invokespecial", 'M' },
    { "invokestatic", 'M' }, { "invokeinterface", 'I' }, { "invokedynamic", 'Y' },
    { "new", 'k' }, { "newarray", 'a' }, { "anewarray", 'k' }, { "arraylength", '.' },
    { "athrow", '.' }, { "checkcast", 'k' }, { "instanceof", 'k' },
    { "monitorenter", '.' }, { "monitorexit", '.' }, { "wide", 'x' },
    { "multianewarray", 'm' }, { "ifnull", 'j' }, { "ifnonnull", 'j' },
    { "goto_w", 'w' }, { "jsr_w", 'w' },
};

/*
 * The length in bytes of the tableswitch (is_table) or lookupswitch at `at`, whose
 * 32-bit operands begin at the next multiple of 4. 0: it is malformed.
 */
static u64
switch_length(const unsigned char *code, u32 at, u32 size, int is_table)
{
    u64 head = (at & ~3u) + 4, low, high;

    if (head + 12 > size)
        return 0;
    if (!is_table)
        return head + 8 + (u64)bytecode_u32(code + head + 4) * 8 - at;
    low = bytecode_u32(code + head + 4);
    high = bytecode_u32(code + head + 8);
    if ((int)low > (int)high)
        return 0;
    return head + 12 + ((u64)(u32)(high - low) + 1) * 4 - at;
}

static u64
length(const unsigned char *code, u32 at, u32 size)
{
    switch ((enum bytecode_operands)bytecodes[code[at]].operands) {
    case BYTECODE_NONE:
        return 1;
    case BYTECODE_BYTE:
    case BYTECODE_LOCAL:
    case BYTECODE_CONSTANT:
    case BYTECODE_TYPE:
        return 2;
    case BYTECODE_SHORT:
    case BYTECODE_INCREMENT:
    case BYTECODE_JUMP:
    case BYTECODE_LONG_CONSTANT:
    case BYTECODE_CLASS:
    case BYTECODE_FIELD:
    case BYTECODE_METHOD:
        return 3;
    case BYTECODE_DIMENSIONS:
        return 4;
    case BYTECODE_LONG_JUMP:
    case BYTECODE_INTERFACE:
    case BYTECODE_DYNAMIC:
        return 5;
    case BYTECODE_WIDE:
        return at + 1 < size && code[at + 1] == BYTECODE_IINC ? 6 : 4;
    case BYTECODE_TABLE:
        return switch_length(code, at, size, 1);
    case BYTECODE_LOOKUP:
        return switch_length(code, at, size, 0);
    }
    return 0;
}

u32
bytecode_length(const unsigned char *code, u32 at, u32 size)
{
    u64 bytes;

    if (at >= size || code[at] >= BYTECODE_COUNT)
        return 0;
    bytes = length(code, at, size);
    return bytes <= size - at ? (u32)bytes : 0;
}

u32
bytecode_constant(const unsigned char *code, u32 at)
{
    switch ((enum bytecode_operands)bytecodes[code[at]].operands) {
    case BYTECODE_CONSTANT:
        return code[at + 1];
    case BYTECODE_LONG_CONSTANT:
    case BYTECODE_CLASS:
    case BYTECODE_FIELD:
    case BYTECODE_METHOD:
    case BYTECODE_INTERFACE:
    case BYTECODE_DYNAMIC:
    case BYTECODE_DIMENSIONS:
        return bytecode_u16(code + at + 1);
    default:
        return 0;
    }
}
