# SPDX-License-Identifier: Apache-2.0
print_load_sources = \
	print/load/alive.c print/load/archived.c print/load/array.c print/load/clock.c \
	print/load/codes.c print/load/codes.h print/load/collected.c \
	print/load/collected.h print/load/counters.c \
	print/load/datafile.c print/load/decode.c print/load/expand.c \
	print/load/experiment.c print/load/founder.c print/load/hash.c print/load/labels.c \
	print/load/log.c \
	print/load/made.c print/load/madefiles.c print/load/madenodes.c print/load/map.c \
	print/load/merge.c print/load/names.c print/load/names.h print/load/nodes.c \
	print/load/pool.c print/load/progress.c \
	print/load/problems.c print/load/reconcile.c print/load/records.c \
	print/load/relay.c print/load/samples.c print/load/schema.c print/load/shrunk.c \
	print/load/streams.c \
	print/load/threads.c print/load/ticks.c print/load/wall.c print/load/integrity.c \
	print/load/xml.c
