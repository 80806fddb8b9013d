/* SPDX-License-Identifier: Apache-2.0 */
#include "print/base/array.h"

#include <errno.h>
#include <string.h>

int
array_room(void *array, u32 *room, u32 need, size_t size)
{
    u64 more = (u64)*room * 2 < 16 ? 16 : (u64)*room * 2;
    void *old, *new;

    if (need <= *room)
        return 0;
    if (more < need)
        more = need;
    if (more > UINT32_MAX || more > SIZE_MAX / size)
        return -ENOMEM;
    memcpy(&old, array, sizeof(old));
    new = realloc(old, more * size);
    if (!new)
        return -ENOMEM;
    memcpy(array, &new, sizeof(new));
    *room = (u32)more;
    return 0;
}

int
array_room_zero(void *array, u32 *room, u32 need, size_t size)
{
    u32 before = *room;
    char *start;

    if (array_room(array, room, need, size) < 0)
        return -ENOMEM;
    memcpy(&start, array, sizeof(start));
    if (*room > before)
        memset(start + before * size, 0, (*room - before) * size);
    return 0;
}

void
array_remove(void *elements, u32 *count, u32 at, size_t size)
{
    char *place = (char *)elements + at * size;

    --*count;
    memmove(place, place + size, (*count - at) * size);
}
