# SPDX-License-Identifier: Apache-2.0

print_record_sources = \
	print/load/record/batch.h \
	print/load/record/collected.c print/load/record/collected.h \
	print/load/record/datafile.c print/load/record/datafile.h \
	print/load/record/decode.c print/load/record/decode.h \
	print/load/record/event.h print/load/record/fixed.h \
	print/load/record/merge.c print/load/record/merge.h \
	print/load/record/nodes.c print/load/record/nodes.h \
	print/load/record/reconcile.c print/load/record/reconcile.h \
	print/load/record/records.c print/load/record/records.h \
	print/load/record/relay.c print/load/record/relay.h print/load/record/scan.c \
	print/load/record/scan.h print/load/record/schema.c \
	print/load/record/schema.h print/load/record/shrunk.c \
	print/load/record/shrunk.h print/load/record/streams.c \
	print/load/record/streams.h
