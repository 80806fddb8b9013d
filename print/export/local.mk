# SPDX-License-Identifier: Apache-2.0

print_export_sources = \
	print/export/bytes.c print/export/bytes.h print/export/export.h \
	print/export/json.c print/export/mem.c \
	print/export/mem.h print/export/separated.c print/export/table.c \
	print/export/table.h print/export/text.c print/export/value.c print/export/value.h \
	print/export/screenstyle.c print/export/screenstyle.h \
	print/export/page.c print/export/page.h \
	print/export/prose.c print/export/prose.h print/export/tree.c \
	print/export/tree.h \
	print/exports.def
