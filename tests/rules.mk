# SPDX-License-Identifier: Apache-2.0
# How tests and their targets are built; GNU make, read by tests/local.mk.
#
# tests/unit/AREA/NAME.c       becomes tests/bin/unit/AREA/NAME
# tests/targets/NAME.EXT       becomes tests/bin/targets/NAME and its variants

find_tests = $(sort $(shell cd $(top_srcdir) && find $1 -type f 2>/dev/null))

# Unit tests: one program a file, linked with the library of its directory.

unit_areas = share archive manage print import \
	collector/launch collector/inspect collector/counter collector/session \
	collector/madecode collector/leaks collector/sig collector/source \
	collector/action collector/preload collector/heap collector/io collector/sync \
	collector/own

# make unit-programs UNIT_AREAS="share print" builds a choice; the variable may also
# stand in the environment.
UNIT_AREAS ?= $(unit_areas)
unit_sources := $(filter %.c,$(call find_tests,$(UNIT_AREAS:%=tests/unit/%)))

target_side_archives = libpreload.a libhook.a libregion.a libsig.a libshare.a

unit_archives_share = libshare.a
unit_archives_archive = liberarchive.a libobjfile.a libshare.a
unit_archives_print = libprint.a libgen.a liberarchive.a libobjfile.a libshare.a
unit_archives_manage = libmanage.a $(unit_archives_print)
unit_archives_import = libimport.a liblaunch.a libsig.a $(unit_archives_manage)
unit_archives_collector/launch = liblaunch.a libsig.a libshare.a
unit_archives_collector/inspect = $(unit_archives_collector/launch)
unit_archives_collector/counter = $(unit_archives_collector/launch)
unit_archives_collector/session = $(unit_archives_collector/launch)
unit_archives_collector/madecode = $(unit_archives_collector/launch)
unit_archives_collector/leaks = liblaunch.a libsig.a libshare.a
unit_archives_collector/sig = libsig.a libshare.a
unit_archives_collector/source = $(target_side_archives)
unit_archives_collector/preload = $(target_side_archives)
unit_archives_collector/action = $(target_side_archives)
unit_archives_collector/heap = $(target_side_archives)
unit_archives_collector/io = $(target_side_archives)
unit_archives_collector/sync = $(target_side_archives)
unit_archives_collector/own = libown.a

unit_libs_archive = $(ELF_LIBS)
unit_libs_collector/launch = $(ELF_LIBS)
unit_libs_collector/inspect = $(ELF_LIBS)
unit_libs_collector/counter = $(ELF_LIBS)
unit_libs_collector/session = $(ELF_LIBS)
unit_libs_collector/madecode = $(ELF_LIBS)
unit_libs_collector/leaks = $(ELF_LIBS)
unit_libs_print = -ldl -lpthread -lm $(ELF_LIBS) $(XML_LIBS) $(CAPSTONE_LIBS) \
	$(IBERTY_LIBS)
unit_libs_manage = $(unit_libs_print)
unit_libs_import = $(unit_libs_print)

unit_cflags = $(DEFS) $(DEFAULT_INCLUDES) $(AM_CPPFLAGS) $(XML_CFLAGS) \
	$(CAPSTONE_CFLAGS) $(CRITERION_CFLAGS) \
	$(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS)

# A sample experiment or a target source is found from the place of the test's own.
unit_cflags += -DTOP_SRC='"$(abs_top_srcdir)"'

# The rooms that go into a target call each other both ways.
unit_group = -Wl,--start-group $1 -Wl,--end-group

define unit_rule
tests/bin/unit/$1/%: tests/unit/$1/%.c $(unit_archives_$1) $(top_srcdir)/tests/rules.mk
	@mkdir -p $$(@D)
	$$(AM_V_CC)$$(CC) $$(unit_cflags) -MMD -MP -MT $$@ -MF $$@.d -c -o $$@.o $$<
	$$(AM_V_CCLD)$$(CC) $$(AM_CFLAGS) $$(CFLAGS) $$(AM_LDFLAGS) $$(LDFLAGS) \
		-o $$@ $$@.o $$(call unit_group,$(unit_archives_$1)) \
		$(unit_libs_$1) $$(CRITERION_LIBS) $$(LIBS)
endef
$(foreach area,$(unit_areas),$(eval $(call unit_rule,$(area))))

ifeq ($(HAVE_CRITERION),yes)
unit_programs = $(unit_sources:tests/unit/%.c=tests/bin/unit/%)
else
unit_programs =
endif

-include $(unit_programs:%=%.d)

# For the check that headers compile alone.
.PHONY: print-cflags
print-cflags:
	@echo '$(filter-out -Werror,$(unit_cflags))'

.PHONY: unit-programs
unit-programs: $(unit_programs)

# Fuzz targets with replay.c in libFuzzer's place, for what tests/fuzz/corpus has.

fuzz_targets := $(filter-out replay,$(basename $(notdir \
	$(filter %.c,$(call find_tests,tests/fuzz)))))
fuzz_programs = $(fuzz_targets:%=tests/bin/fuzz/%)
fuzz_headers := $(wildcard $(top_srcdir)/tests/fuzz/*.h)

fuzz_archives = $(unit_archives_manage)
tests/bin/fuzz/import tests/bin/fuzz/gprofng: \
		fuzz_archives = $(unit_archives_import)
tests/bin/fuzz/frames: fuzz_archives = $(target_side_archives)
tests/bin/fuzz/perfmap: fuzz_archives = $(unit_archives_collector/launch)
tests/bin/fuzz/jitdump: fuzz_archives = $(unit_archives_collector/launch)
tests/bin/fuzz/program: fuzz_archives = $(unit_archives_collector/launch)

$(fuzz_programs): tests/bin/fuzz/%: $(top_srcdir)/tests/fuzz/%.c \
		$(top_srcdir)/tests/fuzz/replay.c $(fuzz_headers) \
		libimport.a $(unit_archives_manage) $(target_side_archives) \
		$(unit_archives_collector/launch) $(top_srcdir)/tests/rules.mk
	@mkdir -p $(@D)
	$(AM_V_CC)$(CC) $(unit_cflags) -c -o $@.o $<
	$(AM_V_CC)$(CC) $(unit_cflags) -c -o $@-replay.o $(top_srcdir)/tests/fuzz/replay.c
	$(AM_V_CCLD)$(CC) $(AM_CFLAGS) $(CFLAGS) $(AM_LDFLAGS) $(LDFLAGS) -o $@ $@.o \
		$@-replay.o $(call unit_group,$(fuzz_archives)) $(unit_libs_manage) $(LIBS)

.PHONY: fuzz-programs
fuzz-programs: $(fuzz_programs)

# Targets: a stamp a source, since one source may give several programs.

target_kinds = %.c %.cc %.S %.f90 %.rs
target_sources := $(filter $(target_kinds),$(call find_tests,tests/targets))
target_headers := $(filter %.h,$(call find_tests,tests/targets))
target_stamps = $(target_sources:tests/targets/%=tests/bin/targets/.%.stamp)

$(target_stamps): tests/bin/targets/.%.stamp: tests/targets/% \
		$(target_headers) $(top_srcdir)/tests/build-target
	@mkdir -p $(@D)
	$(AM_V_GEN)CC="$(CC)" CXX="$(CXX)" $(top_srcdir)/tests/build-target \
		$< tests/bin/targets $@

-include $(target_stamps:.stamp=.d)

.PHONY: test-targets
test-targets: $(target_stamps)
