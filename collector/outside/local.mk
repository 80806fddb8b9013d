# SPDX-License-Identifier: Apache-2.0
# Samples of processes that cannot load the collector.
outside_sources = \
	collector/outside/cputime.c collector/outside/cputime.h \
	collector/outside/helper.c collector/outside/helper.h \
	collector/outside/golang.c collector/outside/golang.h \
	collector/outside/halt.c collector/outside/halt.h \
	collector/outside/kernel.c collector/outside/kernel.h \
	collector/outside/kernel_frames.c collector/outside/kernel_frames.h \
	collector/outside/children.c collector/outside/children.h \
	collector/outside/mirror.c collector/outside/mirror.h \
	collector/outside/outside.c collector/outside/outside.h \
	collector/outside/perf_mapping.h \
	collector/outside/process.c collector/outside/process.h \
	collector/outside/threads.c collector/outside/threads.h \
	collector/outside/ring.c collector/outside/ring.h \
	collector/outside/stopped.c collector/outside/stopped.h \
	collector/outside/table.c collector/outside/table.h \
	collector/outside/worker.c collector/outside/worker.h
