/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The entries of call frame information, in a section like .eh_frame. Runs in signal
 * handlers. The section may be broken or hostile: see cfi.h.
 */
#ifndef ERTOOLS_COLLECTOR_SIG_CFI_ENTRY_H
#define ERTOOLS_COLLECTOR_SIG_CFI_ENTRY_H

#include "collector/sig/mem.h"
#include "share/types.h"

/* An FDE and the CIE that it refers to, parsed. Addresses are of this process. */
struct cfi_entry {
    u64 start; /* [start, end): code covered */
    u64 end;
    u64 cie_code; /* [cie_code, cie_code_end): the CIE's instructions */
    u64 cie_code_end;
    u64 code; /* [code, code_end): the FDE's instructions */
    u64 code_end;
    u64 code_align; /* factor of the instructions' advances */
    int64_t data_align; /* factor of their offsets */
    uint8_t ra; /* column of the return address */
    uint8_t encoding;     /* how addresses are encoded: PE_... of cfi_read.h */
    uint8_t signal_frame; /* 1 = the augmentation has an S */
};

/*
 * Parse the FDE at an address, and its CIE. 0 with *entry set; -ENOENT: the end, or a
 * CIE; -EBADMSG.
 */
int cfi_entry_parse(struct mem *m, u64 address, struct cfi_entry *entry);

/*
 * Iterate over CFI: read the record at *at, and set *at to the address of the next one.
 * 1 with *entry set; 0 for a record that is not an FDE, or cannot be parsed; -ENOENT at
 * the end, or if the record's length is bad or cannot be read.
 */
int cfi_entry_next(struct mem *m, u64 *at, struct cfi_entry *entry);

/*
 * Find the entry that covers an address in the first `most` records at `frames`. 0 or
 * -ENOENT.
 */
int cfi_entry_search(struct mem *m, u64 frames, u32 most, u64 address,
                     struct cfi_entry *entry);

#endif
