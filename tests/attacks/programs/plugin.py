# SPDX-License-Identifier: Apache-2.0
"""A library that writes the canary as soon as it is loaded."""
import os
import shutil
import subprocess
import sys

if not shutil.which("cc"):
    sys.exit(77)
CODE = """
#include <stdio.h>
__attribute__((constructor)) static void strike(void) { FILE* file = fopen(CANARY, "w"); if (file) fclose(file); }
"""
subprocess.run(["cc", "-shared", "-fPIC", "-DCANARY=\"%s\"" % os.environ["STRATA_CANARY"], "-x", "c", "-o", "plugin.so", "-"], input=CODE.encode(), check=True)
