# SPDX-License-Identifier: Apache-2.0

lnt_import_sources = \
	import/lnt/lnt.c import/lnt/lnt.h import/lnt/lnt_counts.c \
	import/lnt/lnt_pickle.c import/lnt/pickle.c import/lnt/pickle.h
