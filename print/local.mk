# SPDX-License-Identifier: Apache-2.0

include print/load/local.mk
include print/model/local.mk
include print/cmd/local.mk
include print/export/local.mk

noinst_LTLIBRARIES += libprint.la
libprint_la_SOURCES = $(print_load_sources) $(print_model_sources) \
	$(print_cmd_sources) $(print_export_sources)
libprint_la_CPPFLAGS = $(AM_CPPFLAGS) $(XML_CFLAGS) $(CAPSTONE_CFLAGS) \
	-DSYSCONFDIR='"$(sysconfdir)"'

print_libs = libprint.la libobjfile.la libshare.la \
	$(XML_LIBS) $(CAPSTONE_LIBS) $(IBERTY_LIBS) -lm

bin_PROGRAMS += er_print
er_print_SOURCES = print/main.c
er_print_LDADD = $(print_libs)

bin_PROGRAMS += er_src
er_src_SOURCES = print/er_src.c
er_src_LDADD = liberarchive.la $(print_libs) -ldl -lpthread
