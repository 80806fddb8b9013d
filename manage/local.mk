# SPDX-License-Identifier: Apache-2.0

noinst_LIBRARIES += libmanage.a
libmanage_a_SOURCES = \
	manage/carry.c manage/carry.h manage/eligible.c manage/eligible.h \
	manage/gather.c manage/gather.h \
	manage/group.c manage/group.h manage/jobpart.c manage/jobpart.h \
	manage/labelset.c manage/labelset.h manage/options.c manage/options.def \
	manage/options.h manage/place.c manage/place.h manage/tree.c manage/tree.h \
	manage/unite.c manage/unite.h \
	manage/when.c manage/when.h manage/writer.c manage/writer.h

manage_libs = libmanage.a $(print_libs) liberarchive.a $(ELF_LIBS) -ldl -lpthread

bin_PROGRAMS += er_cp er_mv er_rm er_label
er_cp_SOURCES = manage/cp.c
er_cp_LDADD = $(manage_libs)
er_mv_SOURCES = manage/mv.c
er_mv_LDADD = $(manage_libs)
er_rm_SOURCES = manage/rm.c
er_rm_LDADD = $(manage_libs)
er_label_SOURCES = manage/label.c
er_label_LDADD = $(manage_libs)
