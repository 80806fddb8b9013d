# SPDX-License-Identifier: Apache-2.0

perf_import_sources = \
	import/perf/perf.c import/perf/perf.h import/perf/perf_head.c \
	import/perf/perf_order.c import/perf/perf_packed.c import/perf/perf_sample.c \
	import/perf/perf_stack.c import/perf/perf_task.c
