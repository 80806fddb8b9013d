# SPDX-License-Identifier: Apache-2.0
libc_sources = \
	collector/libc/libc.def \
	collector/libc/real.c \
	collector/libc/real.h
