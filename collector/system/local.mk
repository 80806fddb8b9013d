# SPDX-License-Identifier: Apache-2.0
# er_kernel: its main.c and all else of it.
system_sources = \
	collector/system/census.c collector/system/census.h \
	collector/system/feed.h \
	collector/system/part.c collector/system/part.h \
	collector/system/record.c collector/system/record.h \
	collector/system/writer.c collector/system/writer.h
