# SPDX-License-Identifier: Apache-2.0
"""Links of the attack linked_configuration.toml."""
import os

for name in (".strata.yaml", ".strata-check.yaml"):
    os.symlink("../outside/secret.txt", name)
