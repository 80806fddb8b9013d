# SPDX-License-Identifier: Apache-2.0

.PHONY: bench
bench: all
	@if test -x $(srcdir)/bench/run; then \
		TOP_SRC=$(abs_top_srcdir) TOP_BUILD=$(abs_top_builddir) \
		CC="$(CC)" $(srcdir)/bench/run; \
	else echo "bench/run does not exist"; exit 1; fi
