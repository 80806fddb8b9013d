# SPDX-License-Identifier: Apache-2.0

include print/base/local.mk
include print/load/local.mk
include print/model/local.mk
include print/cmd/local.mk
include print/export/local.mk
include print/out/local.mk
include html/local.mk

noinst_LIBRARIES += libprint.a
libprint_a_SOURCES = $(print_base_sources) $(print_record_sources) \
	$(print_load_sources) $(print_model_sources) \
	$(print_cmd_sources) $(print_export_sources) $(print_out_sources) \
	$(html_sources)
$(libprint_a_OBJECTS): private AM_CPPFLAGS += $(XML_CFLAGS) $(CAPSTONE_CFLAGS) \
	-DSYSCONFDIR='"$(sysconfdir)"'
$(libprint_a_OBJECTS): private AM_CFLAGS += -Wa,-I$(top_srcdir)

print_libs = libprint.a libobjfile.a libshare.a \
	$(XML_LIBS) $(CAPSTONE_LIBS) $(IBERTY_LIBS) -lm

bin_PROGRAMS += er_print
er_print_SOURCES = print/main.c
er_print_LDADD = $(print_libs)

bin_PROGRAMS += er_src
er_src_SOURCES = print/er_src.c
er_src_LDADD = liberarchive.a $(print_libs) $(ELF_LIBS) -ldl -lpthread

bin_PROGRAMS += er_html
er_html_SOURCES = print/er_html.c
er_html_LDADD = libmanage.a $(print_libs)
