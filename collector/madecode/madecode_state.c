/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/madecode/madecode_state.h"

#include <stdlib.h>

#include "collector/session/session.h"

struct madecode *
madecode_state_of(struct recording *s)
{
    if (!s->madecode)
        s->madecode = calloc(1, sizeof(*s->madecode));
    return s->madecode;
}
