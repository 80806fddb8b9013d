# SPDX-License-Identifier: Apache-2.0
# Counters of the kernel and the processor.
counter_sources = \
	collector/counter/counter.c collector/counter/counter.h \
	collector/counter/counter_end.c \
	collector/counter/counter_event.c collector/counter/counter_event.def \
	collector/counter/counter_event.h \
	collector/counter/counter_list.c \
	collector/counter/counter_open.c collector/counter/counter_open.h \
	collector/counter/counter_pfm.c \
	collector/counter/counter_pmu.c \
	collector/counter/probe.c collector/counter/probe.h
