# SPDX-License-Identifier: Apache-2.0
# Tests are found, not listed: adding one is adding a file. rules.mk is read by make
# itself (the leading dash keeps automake from reading it).
-include $(top_srcdir)/tests/rules.mk

include tests/gen/local.mk

test_environment = TOP_SRC="$(abs_top_srcdir)" TOP_BUILD="$(abs_top_builddir)" \
	CC="$(CC)" CXX="$(CXX)"

# How many tests run side by side: as many as make may start commands (make -j N check),
# else two. Those marked "alone" never do.
TEST_JOBS = $(or $(patsubst -j%,%,$(lastword $(filter -j%,$(MAKEFLAGS)))),2)

.PHONY: check-programs check-unit
# A make of its own, behind "all": that is one too, and two at once would build the same
# objects under each other's hands.
check-programs: all
	@$(MAKE) $(AM_MAKEFLAGS) unit-programs fuzz-programs test-targets

# make check ONLY="PATTERN..." runs a choice; CHECKED=unit-programs builds these alone.
CHECKED = check-programs

check-local: all
	@$(MAKE) $(AM_MAKEFLAGS) $(CHECKED)
	$(test_environment) $(top_srcdir)/tests/run -j $(TEST_JOBS) $(ONLY)

check-unit: unit-programs
	$(test_environment) $(top_srcdir)/tests/run -j $(TEST_JOBS) unit/

clean-local:
	rm -rf tests/bin
