/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/madecode.h"

#include <stdlib.h>

#include "collector/madecode/gdbjit.h"
#include "collector/madecode/jitdump.h"
#include "collector/madecode/madecode_state.h"
#include "collector/madecode/madewrite.h"
#include "collector/madecode/perfmap.h"
#include "collector/session/session.h"

int
madecode_has_list(const struct recording *s)
{
    return s->madecode && s->madecode->gdbjit.lists;
}

void
madecode_read_new(struct recording *s)
{
    if (!madecode_state_of(s))
        return;
    jitdump_read_new(s);
    gdbjit_read_new(s);
    perfmap_read_new(s);
}

void
madecode_end(struct recording *s)
{
    if (!madecode_state_of(s))
        return;
    jitdump_end(s);
    gdbjit_end(s);
    perfmap_end(s);
    madewrite_free(s);
    free(s->madecode);
    s->madecode = NULL;
}
