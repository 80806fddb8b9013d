# SPDX-License-Identifier: Apache-2.0

gprofng_import_sources = \
	import/gprofng/gprofng.c import/gprofng/gprofng.h \
	import/gprofng/gprofng_data.c import/gprofng/gprofng_log.c \
	import/gprofng/tags.c import/gprofng/tags.h
