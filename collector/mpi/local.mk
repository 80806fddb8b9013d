# SPDX-License-Identifier: Apache-2.0
# MPI tracing. It is built without any mpi.h, and serves all MPI libraries.
preloaded += libmpi_trace.so
libmpi_trace_so_SOURCES = \
	collector/mpi/mpi.def \
	collector/mpi/mpi_abi.c \
	collector/mpi/mpi_abi.h \
	collector/mpi/mpi_call.c \
	collector/mpi/mpi_call.h \
	collector/mpi/mpi_coll.c \
	collector/mpi/mpi_comm.c \
	collector/mpi/mpi_comm.h \
	collector/mpi/mpi_comms.c \
	collector/mpi/mpi_comms.h \
	collector/mpi/mpi_env.c \
	collector/mpi/mpi_file.c \
	collector/mpi/mpi_group.c \
	collector/mpi/mpi_group.h \
	collector/mpi/mpi_hook.c \
	collector/mpi/mpi_mem.c \
	collector/mpi/mpi_mem.h \
	collector/mpi/mpi_open.c \
	collector/mpi/mpi_open.h \
	collector/mpi/mpi_point.c \
	collector/mpi/mpi_polls.c \
	collector/mpi/mpi_polls.h \
	collector/mpi/mpi_put.c \
	collector/mpi/mpi_put.h \
	collector/mpi/mpi_request.c \
	collector/mpi/mpi_request.h \
	collector/mpi/mpi_rma.c \
	collector/mpi/mpi_scratch.c \
	collector/mpi/mpi_scratch.h \
	collector/mpi/mpi_trace.c \
	collector/mpi/mpi_trace.h \
	collector/mpi/mpi_wait.c \
	collector/mpi/mpi_world.c \
	collector/mpi/mpi_world.h \
	collector/mpi/mpi_write.h
$(libmpi_trace_so_OBJECTS): private room_cflags = -fno-builtin
libmpi_trace_so_LDFLAGS = $(target_ldflags)
libmpi_trace_so_LDADD = $(traced_libs)
