# SPDX-License-Identifier: Apache-2.0
"""Long strings as real files have them: scripts, certificates, base64 and prose of 1 to 20 KB.

Readers, writers and searches have paths of their own for long strings, which short random values never reach. The strings are ASCII without the
characters that start an interpolation or a reference in any dialect (`$ % { } \\`).
"""
import base64

COMMANDS = ["set -e", "echo 'starting: a # b'", "cd /var/lib/app || exit 1", "if [ -f /etc/app.conf ]; then", "  . /etc/app.conf", "fi", "", "# a comment", "run --name x --size 12"]
WORDS = ["a", "of", "nodes", "<tag>", "key: value", "- item", "MARK", "x=1", "it's", "10.0.0.1"]


def script(rng, size):
    out = "#!/bin/sh\n"
    while len(out) < size:
        out += rng.choice(COMMANDS) + "\n"
    return out


def encoded(rng, size):
    return base64.b64encode(rng.randbytes(size * 3 // 4)).decode()


def certificate(rng, size):
    body = encoded(rng, size)
    return "-----BEGIN CERTIFICATE-----\n" + "".join(body[i:i + 64] + "\n" for i in range(0, len(body), 64)) + "-----END CERTIFICATE-----\n"


def prose(rng, size):
    out = "text"
    while len(out) < size:
        out += " " + rng.choice(WORDS)
    return out


def long_scalar(rng):
    return rng.choice([script, encoded, certificate, prose])(rng, rng.choice([500, 1000, 1000, 3000, 20000]))


def is_long(rng):
    """Whether the next string is a long one: few are, because they dominate the time of a run."""
    return rng.random() < 0.03
