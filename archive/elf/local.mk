# SPDX-License-Identifier: Apache-2.0

elf_sources = \
	archive/elf/codemap.c archive/elf/codemap.h archive/elf/coldpart.c \
	archive/elf/coldpart.h archive/elf/debugfile.c archive/elf/debugfile.h \
	archive/elf/fde.c archive/elf/fde.h archive/elf/gotab.c archive/elf/gotab.h \
	archive/elf/ifunc.c archive/elf/ifunc.h archive/elf/image.c \
	archive/elf/image.h archive/elf/inflate.c archive/elf/inflate.h \
	archive/elf/plt.c archive/elf/plt.h archive/elf/symbols.c \
	archive/elf/symbols.h archive/elf/variables.c archive/elf/variables.h
