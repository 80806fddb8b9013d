# SPDX-License-Identifier: Apache-2.0
own_sources = collector/own/calls.c collector/own/forward.c collector/own/memory.c \
	collector/own/sets.c collector/own/text.c
