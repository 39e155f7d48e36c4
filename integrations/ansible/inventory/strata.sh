#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# An inventory for Ansible: the subjects of a project are the hosts. Ansible calls it with --list or --host NAME.
#   STRATA_PROJECT   the question: @NAME of .strata.yaml (@fleet)
#   STRATA_FOLDER    the folder of the project (the working folder)
#   STRATA_GROUP_BY  facts whose values make groups, with blanks between them: role gives role_web, role_db
#   STRATA_PROGRAM   the program (strata)
set -eu
cd "${STRATA_FOLDER:-.}"
for fact in ${STRATA_GROUP_BY:-}; do set -- "$@" --group-by "$fact"; done
exec "${STRATA_PROGRAM:-strata}" ansible-inventory "$@" "${STRATA_PROJECT:-@fleet}"
