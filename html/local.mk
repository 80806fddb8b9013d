# SPDX-License-Identifier: Apache-2.0

# The page is bundled already (html/build.mjs): building needs no Node. The assembler
# reads it, so that no compiler notes it as included.
html_sources = html/asset.c html/asset.h
html_page = html/head.html html/tail.html

html/asset.$(OBJEXT) html/libprint_a-asset.$(OBJEXT): $(html_page)

EXTRA_DIST += $(html_page)
