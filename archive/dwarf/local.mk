# SPDX-License-Identifier: Apache-2.0

dwarf_sources = \
	archive/dwarf/dwarf.c archive/dwarf/dwarf.h archive/dwarf/dwfile.c \
	archive/dwarf/dwfile.h archive/dwarf/dwform.c archive/dwarf/dwform.h \
	archive/dwarf/dwfunc.c archive/dwarf/dwfunc.h archive/dwarf/dwinfo.c \
	archive/dwarf/dwinfo.h archive/dwarf/dwline.c archive/dwarf/dwline.h \
	archive/dwarf/dwmemo.c archive/dwarf/dwmemo.h archive/dwarf/dwnames.h \
	archive/dwarf/dwrange.c archive/dwarf/dwrange.h archive/dwarf/dwscope.c \
	archive/dwarf/dwscope.h archive/dwarf/dwsplit.c archive/dwarf/dwsplit.h \
	archive/dwarf/dwtype.c archive/dwarf/dwtype.h archive/dwarf/dwunit.h
