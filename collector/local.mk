# SPDX-License-Identifier: Apache-2.0
# The launcher and the libraries that go into a target. The rooms list their files.

include collector/launch/local.mk
include collector/inspect/local.mk
include collector/counter/local.mk
include collector/session/local.mk
include collector/madecode/local.mk
include collector/leaks/local.mk
include collector/attach/local.mk
include collector/outside/local.mk
include collector/system/local.mk
include collector/got/local.mk
include collector/sig/local.mk
include collector/own/local.mk
include collector/source/local.mk
include collector/libc/local.mk
include collector/action/local.mk
include collector/preload/local.mk
include collector/signals/local.mk
include collector/hook/local.mk
include collector/vm/local.mk
include collector/heap/local.mk
include collector/io/local.mk
include collector/sync/local.mk
include collector/wait/local.mk
include collector/mpi/local.mk
include collector/omp/local.mk
include collector/region/local.mk
include collector/call/local.mk

# collect: main.c on a library, so that unit tests can link the library.
noinst_LIBRARIES += liblaunch.a
liblaunch_a_SOURCES = $(launch_sources) $(leaks_sources) $(attach_sources) \
	$(outside_sources) $(inspect_sources) $(counter_sources) $(session_sources) \
	$(madecode_sources)
$(liblaunch_a_OBJECTS): private AM_CPPFLAGS += -DPKGLIBDIR='"$(pkglibdir)"' \
	-DCALLSDIR='"$(pkgdatadir)/calls"'

bin_PROGRAMS += collect
collect_SOURCES = collector/launch/main.c
# Its helper that samples from outside walks stacks as a target does.
collect_LDADD = liblaunch.a libsig.a libshare.a $(ELF_LIBS) -lpthread

bin_PROGRAMS += er_kernel
er_kernel_SOURCES = collector/system/main.c collector/system/options.def \
	$(system_sources)
er_kernel_LDADD = liblaunch.a libsig.a libshare.a $(ELF_LIBS) -lpthread

# libsig.a stands alone, so that the check of its undefined symbols can see it.
noinst_LIBRARIES += libsig.a
libsig_a_SOURCES = $(sig_sources)
$(libsig_a_OBJECTS): private room_cflags = \
	-fno-tree-vectorize -fno-tree-slp-vectorize

noinst_LIBRARIES += libpreload.a
libpreload_a_SOURCES = $(preload_sources) $(got_sources) $(source_sources) \
	$(libc_sources) $(action_sources)

noinst_LIBRARIES += libhook.a
libhook_a_SOURCES = collector/callbacks.c \
	$(hook_sources) $(signals_sources) $(vm_sources) $(omp_sources)

# What takes libc's place for all of these; no loop of it may become a call of itself.
noinst_LIBRARIES += libown.a
libown_a_SOURCES = $(own_sources)
$(libown_a_OBJECTS): private room_cflags = \
	-fno-builtin $(NO_LOOP_CALLS_CFLAGS)

preloaded += libcollector.so
libcollector_so_SOURCES =
# All of these: nobody calls most of the functions that it replaces.
libcollector_so_DEPENDENCIES = $(libpreload_a_OBJECTS) $(libhook_a_OBJECTS) \
	$(libregion_a_OBJECTS) $(libsig_a_OBJECTS) libshare_pure.a libown.a
libcollector_so_LDADD = $(libcollector_so_DEPENDENCIES)
# Recording begins before the constructors of all other libraries, not after them. Small
# variables stand together: see ER_LARGE. Loaded late, libc's functions come first: ours
# call each other directly.
libcollector_so_LDFLAGS = $(target_ldflags) -Wl,-z,initfirst \
	-Wl,--sort-section=alignment -Wl,-Bsymbolic-functions

target_objects = $(libsig_a_OBJECTS) $(libpreload_a_OBJECTS) \
	$(libhook_a_OBJECTS) $(libregion_a_OBJECTS) $(libown_a_OBJECTS) $(libtrace_a_OBJECTS) \
	$(foreach so,$(preloaded:%.so=%_so),$($(so)_OBJECTS))
$(target_objects): private AM_CPPFLAGS += $(target_cppflags)
# Also for the link: no sanitizer.
$(target_objects) $(preloaded): private AM_CFLAGS = $(target_cflags)

# Our flags come last, whatever CFLAGS and LDFLAGS say for programs: -fPIE, -pie, and
# hardening whose checks would call functions of libc's, or print.
$(target_objects) $(libshare_pure_a_OBJECTS): private override CFLAGS += -fPIC \
	-U_FORTIFY_SOURCE -fno-stack-protector
$(preloaded): private override LDFLAGS += -shared -fPIC
