# SPDX-License-Identifier: Apache-2.0
# OpenMP: replaced functions that are a part of libcollector.so.
omp_sources = \
	collector/hook/trace.c \
	collector/hook/trace.h \
	collector/omp/omp.def \
	collector/omp/omp_body.c \
	collector/omp/omp_body.h \
	collector/omp/omp_kmp.c \
	collector/omp/omp_kmp_work.c \
	collector/omp/omp_loop.c \
	collector/omp/omp_loop.h \
	collector/omp/omp_old.c \
	collector/omp/omp_parallel.c \
	collector/omp/omp_real.c \
	collector/omp/omp_real.h \
	collector/omp/omp_region.h \
	collector/omp/omp_state.c \
	collector/omp/omp_state.h \
	collector/omp/omp_task.c \
	collector/omp/omp_tool.c \
	collector/omp/omp_wait.c \
	collector/omp/omp_work.c
