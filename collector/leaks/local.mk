# SPDX-License-Identifier: Apache-2.0
# What becomes of blocks that are never freed.
leaks_sources = \
	collector/leaks/graph.c collector/leaks/graph.h \
	collector/leaks/live.c collector/leaks/live.h \
	collector/leaks/memory.c collector/leaks/memory.h \
	collector/leaks/roots.c collector/leaks/roots.h \
	collector/leaks/stop.c collector/leaks/stop.h
