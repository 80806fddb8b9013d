# SPDX-License-Identifier: Apache-2.0
# Words that relocations have filled.
got_sources = \
	collector/got/got.c collector/got/got.h \
	collector/got/object.c collector/got/object.h \
	collector/got/slots.c collector/got/slots.h
