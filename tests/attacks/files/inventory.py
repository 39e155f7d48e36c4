# SPDX-License-Identifier: Apache-2.0
"""A link of the attack inventory.toml."""
import os

os.mkdir("classes")
os.symlink("../../outside/secret.txt", os.path.join("classes", "secret.yml"))
