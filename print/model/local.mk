# SPDX-License-Identifier: Apache-2.0
print_model_sources = \
	print/model/aggregate.c print/model/archive.c print/model/around.c \
	print/model/calltree.c print/model/demangle.c \
	print/model/files.c print/model/functions.c print/model/metric.c \
	print/model/object.c print/model/order.c print/model/plan.c \
	print/model/session.c print/model/sites.c print/model/slices.c \
	print/model/stacks.c \
	print/model/tally.c print/model/view.c
