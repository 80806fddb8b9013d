# SPDX-License-Identifier: Apache-2.0
source_sources = \
	collector/source/counter.c \
	collector/source/perf.c \
	collector/source/source.c \
	collector/source/source.h \
	collector/source/timer.c
