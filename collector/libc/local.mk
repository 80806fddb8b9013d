# SPDX-License-Identifier: Apache-2.0
libc_sources = \
	collector/libc/libc.def \
	collector/libc/null.h \
	collector/libc/real.c \
	collector/libc/real.h

# For all objects that have hooks.
null_cflags = -include collector/libc/null.h
