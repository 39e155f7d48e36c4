# SPDX-License-Identifier: Apache-2.0
"""Variables of hosts out of a project of strata."""
from __future__ import annotations

DOCUMENTATION = """
    name: strata
    short_description: variables of hosts out of layered configuration
    description:
        - Gives each host the result of the subject with its name. Hosts that the project does not know, and groups, get nothing.
        - Texts that are secret are not looked through for templates. Nothing else is hidden; keep results out of logs with C(no_log).
    options:
      project:
        description: The question, C(@NAME) of .strata.yaml.
        default: '@fleet'
        ini: [{section: strata, key: project}]
        env: [{name: STRATA_PROJECT}]
      folder:
        description: The folder of the project. Without it, the folder where Ansible was started.
        type: path
        ini: [{section: strata, key: folder}]
        env: [{name: STRATA_FOLDER}]
      origins:
        description: Whether hosts get another variable, C(strata_origins), which says for each path of a value in which line of which file it is written.
        type: bool
        default: false
        ini: [{section: strata, key: origins}]
        env: [{name: STRATA_ORIGINS}]
      program:
        description: The program. Without it, the module C(strata_layers) where Ansible's Python has it, else C(strata).
        type: str
        ini: [{section: strata, key: program}]
        env: [{name: STRATA_PROGRAM}]
      stage:
        description: When the variables are asked for.
        ini: [{section: strata, key: stage}]
        env: [{name: STRATA_STAGE}]
    extends_documentation_fragment:
      - vars_plugin_staging
"""

import json
import os
import subprocess
import sys

from ansible.errors import AnsibleParserError
from ansible.inventory.host import Host
from ansible.plugins.vars import BaseVarsPlugin
from ansible.utils.display import Display
from ansible.utils.unsafe_proxy import wrap_var

# What was asked for, by the options. Ansible asks for each host, and again for each folder that may hold variables.
ANSWERS: dict[tuple, dict] = {}


def without_templates(members):
    """What the program marks as a text in which nothing is to be replaced."""
    return wrap_var(members["__ansible_unsafe"]) if set(members) == {"__ansible_unsafe"} else members


def command_of(program):
    """The words that start strata: the program that is named; without one, the Python module, or the program of the PATH."""
    if program:
        return [program]
    try:
        import strata_layers  # pylint: disable=import-outside-toplevel
    except ImportError:
        return ["strata"]
    # In a process of its own, which is in the folder of the project. Not by `-m`, which would look for modules there.
    return [sys.executable, os.path.join(os.path.dirname(strata_layers.__file__), "__main__.py")]


def variables_of_hosts(program, folder, project, origins):
    """The variables of all hosts, by their names."""
    words = [*command_of(program), "ansible-inventory", "--list", *(["--origins"] if origins else []), project]
    try:
        done = subprocess.run(words, cwd=folder or None, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise AnsibleParserError(f"strata: {words[0]} cannot be started in {folder or os.getcwd()}: {error.strerror}") from error
    told = done.stderr.decode("utf-8", "replace").strip()
    if done.returncode != 0:
        raise AnsibleParserError("strata: " + told)
    if told:
        Display().warning("strata: " + told, formatted=True)
    return json.loads(done.stdout, object_hook=without_templates)["_meta"]["hostvars"]


class VarsModule(BaseVarsPlugin):
    """Variables of hosts out of a project of strata."""

    def get_vars(self, loader, path, entities, cache=True):
        super().get_vars(loader, path, entities)
        hosts = [entity for entity in (entities if isinstance(entities, list) else [entities]) if isinstance(entity, Host)]
        if not hosts:
            return {}
        wanted = tuple(self.get_option(name) for name in ("program", "folder", "project", "origins"))
        if not cache or wanted not in ANSWERS:
            ANSWERS[wanted] = variables_of_hosts(*wanted)
        out = {}
        for host in hosts:
            out.update(ANSWERS[wanted].get(host.name, {}))
        return out
