# SPDX-License-Identifier: Apache-2.0

print_out_sources = \
	print/out/out.c print/out/out.h print/out/formats.def print/out/options.def \
	print/out/base64.c print/out/base64.h \
	print/out/outevents.c print/out/outevents.h print/out/rawevents.c \
	print/out/gzip.c print/out/gzip.h print/out/outmap.c print/out/outmap.h \
	print/out/outname.c print/out/outname.h \
	print/out/outtext.h print/out/outtree.c print/out/outtree.h \
	print/out/protobuf.c print/out/protobuf.h \
	print/out/stackset.c print/out/stackset.h \
	print/out/foxtables.c print/out/foxtables.h \
	print/out/afdo.c print/out/afdo.h print/out/afdo_gather.c \
	print/out/callgrind.c print/out/fdata.c print/out/firefox.c \
	print/out/folded.c \
	print/out/lnt.c print/out/lnt_report.c print/out/otf2.c print/out/perf.c \
	print/out/pprof.c print/out/speedscope.c print/out/trace.c

bin_PROGRAMS += er_export
er_export_SOURCES = print/er_export.c
er_export_LDADD = $(print_libs)

print_out_sources += \
	print/out/report.c print/out/report.h print/out/reportcode.c \
	print/out/reportdata.c print/out/reportdata.h print/out/reportlimits.h \
	print/out/reportpack.c print/out/reportpack.h print/out/reporttables.c
