/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting of rows. For the model's own use. */
#ifndef ERTOOLS_PRINT_MODEL_VIEWS_ORDER_H
#define ERTOOLS_PRINT_MODEL_VIEWS_ORDER_H

#include "print/model/session.h"
#include "print/model/views/row.h"

/*
 * Sort rows. Rows with equal values are sorted by name, object, address, file, line and
 * index.
 */
void order_rows(struct session *session, const struct order *order, struct row *row,
                u32 count);

#endif
