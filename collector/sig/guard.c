/* SPDX-License-Identifier: Apache-2.0 */
#include "collector/sig/guard.h"

struct guard_lock guard_map;
struct guard_lock guard_made;
struct guard_lock guard_stray;
struct guard_lock guard_room;
struct guard_lock guard_thread_starts;
struct guard_lock guard_action;
struct guard_lock guard_callers;
struct guard_lock guard_threads;
struct guard_lock guard_late;
struct guard_lock guard_thread_key;

struct guard_lock *const guard_locks[GUARD_LOCKS] = {
    &guard_map,     &guard_made,    &guard_stray,   &guard_room, &guard_thread_starts,
    &guard_action,  &guard_callers, &guard_threads, &guard_late, &guard_thread_key,
};
