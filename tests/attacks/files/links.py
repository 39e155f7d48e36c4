# SPDX-License-Identifier: Apache-2.0
"""Links of the attack links.toml."""
import os

os.mkdir("data")
for target, name in (("../../outside/secret.txt", "file.yaml"), ("../../outside", "folder"), ("/", "root")):
    os.symlink(target, os.path.join("data", name))
