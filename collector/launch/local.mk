# SPDX-License-Identifier: Apache-2.0
# All but main.c.
launch_sources =
