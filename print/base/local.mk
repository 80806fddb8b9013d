# SPDX-License-Identifier: Apache-2.0

print_base_sources = \
	print/base/array.c print/base/array.h print/base/hash.c print/base/hash.h \
	print/base/pool.c print/base/pool.h print/base/problems.c \
	print/base/problems.h print/base/progress.c print/base/progress.h
