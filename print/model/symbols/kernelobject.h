/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The load objects that stand for the kernel and its modules, with functions named by
 * map.xml; those of all experiments of one boot are put together. For the model's own
 * use.
 */
#ifndef ERTOOLS_PRINT_MODEL_SYMBOLS_KERNELOBJECT_H
#define ERTOOLS_PRINT_MODEL_SYMBOLS_KERNELOBJECT_H

#include "print/model/session.h"

/* Write the key of an instance's object: the object's name, and the boot. */
void kernelobject_key(const struct map_instance *instance, char *key, size_t size);

/* Make an archive of the object with that key, in memory. 0 and *file, or -errno. */
int kernelobject_make(struct session *session, const char *key, struct objfile **file);

#endif
