# SPDX-License-Identifier: Apache-2.0

include print/load/record/local.mk

print_load_sources = \
	print/load/alive.c print/load/alive.h print/load/archived.c \
	print/load/archived.h print/load/clock.c print/load/clock.h print/load/codes.c \
	print/load/codes.h print/load/counters.c print/load/counters.h \
	print/load/expand.c print/load/experiment.c print/load/experiment.h \
	print/load/founder.c print/load/founder.h print/load/integrity.c \
	print/load/integrity.h print/load/labels.c print/load/labels.h \
	print/load/log.c print/load/log.h print/load/made.c print/load/made.h \
	print/load/madefiles.c print/load/madefiles.h print/load/madenodes.c \
	print/load/madenodes.h print/load/map.c print/load/map.h print/load/names.c \
	print/load/names.h print/load/open.c print/load/pair.h print/load/samples.c \
	print/load/samples.h print/load/source.c \
	print/load/threads.c print/load/threads.h print/load/ticks.c print/load/wall.c \
	print/load/wall.h print/load/xml.c print/load/xml.h
