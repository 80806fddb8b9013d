# SPDX-License-Identifier: Apache-2.0
sig_sources =
