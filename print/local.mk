# SPDX-License-Identifier: Apache-2.0

include print/load/local.mk
include print/model/local.mk
include print/cmd/local.mk
include print/export/local.mk
include print/out/local.mk

noinst_LIBRARIES += libprint.a
libprint_a_SOURCES = $(print_load_sources) $(print_model_sources) \
	$(print_cmd_sources) $(print_export_sources) $(print_out_sources)
$(libprint_a_OBJECTS): private AM_CPPFLAGS += $(XML_CFLAGS) $(CAPSTONE_CFLAGS) \
	-DSYSCONFDIR='"$(sysconfdir)"'

print_libs = libprint.a libobjfile.a libshare.a \
	$(XML_LIBS) $(CAPSTONE_LIBS) $(IBERTY_LIBS) -lm

bin_PROGRAMS += er_print
er_print_SOURCES = print/main.c
er_print_LDADD = $(print_libs)

bin_PROGRAMS += er_src
er_src_SOURCES = print/er_src.c
er_src_LDADD = liberarchive.a $(print_libs) -ldl -lpthread
