#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The policy's language against oslo.policy, on random rules, people and targets.

usage: policy_rules.py POLICY_RULES [--seed N] [--count N]

Needs the distribution's python3-oslo.policy (4.0.0) for this Python. Where oslo.policy cannot read a rule, it logs that and lets nobody in, or raises an
exception when it is asked; strata refuses the file. So what strata refuses must be such a rule, or one that oslo.policy lets nobody in by. Known
differences: `is_admin:1` holds for administrators; a rule that refers to itself is refused when a policy is read, which is no part of this. Exit status
1, with the case and both answers, at the first difference.
"""
import argparse
import copy
import json
import logging
import random
import subprocess
import sys

from oslo_policy import _checks, _parser, policy

logging.disable(logging.CRITICAL)

KINDS = ["role", "role", "role", "rule", "rule", "user_id", "project_id", "project_id", "system_scope", "is_admin_project", "domain_id", "nothing", "roles", "'p1'", '"p1"',
         "'admin'", "None", "True", "False", "1", "0", "-1", "''", "tenant", "'a.b'"]
MATCHES = ["admin", "Admin", "reader", "member", "p1", "p2", "u1", "None", "True", "False", "1", "0", "-1", "", "all", "%(project_id)s", "%(project_id)s", "%(user_id)s",
           "%(nothing)s", "x%(user_id)sy", "%%", "a%%b", "a:b", "'p1'", "%(role)s", "a)b", "a(b", "a.b"]
RULES = ["a", "b", "c", "d"]


def check(rng, later):
    if rng.random() < 0.12:
        return rng.choice(["@", "!"])
    kind = rng.choice(KINDS)
    if kind == "rule":
        return "rule:" + rng.choice(later + ["missing"] if later else ["missing"])
    return kind + ":" + rng.choice(MATCHES)


def blank(rng):
    return rng.choice([" ", " ", " ", "  ", "\t", "\n"])


def text(rng, later, depth=0):
    kind = rng.random()
    if depth > 3 or kind < 0.35:
        return check(rng, later)
    if kind < 0.45:
        return rng.choice(["not", "NOT", "Not"]) + blank(rng) + text(rng, later, depth + 1)
    if kind < 0.6:
        inner = text(rng, later, depth + 1)
        return rng.choice(["({})", "( {} )", "(({}))", "( {})"]).format(inner)
    word = rng.choice(["and", "or", "AND", "Or", "or", "and"])
    return text(rng, later, depth + 1) + blank(rng) + word + blank(rng) + text(rng, later, depth + 1)


def mutated(rng, rule):
    """Wrong in most cases."""
    pieces = rule.split(" ")
    place = rng.randrange(len(pieces))
    kind = rng.randrange(5)
    if kind == 0:
        del pieces[place]
    elif kind == 1:
        pieces.insert(place, rng.choice(["and", "or", "not", "(", ")", "@", "role", "'role:admin'", "()", "role:a)or(role:admin", ":x"]))
    elif kind == 2:
        pieces[place] = rng.choice(["(", ")"]) + pieces[place]
    elif kind == 3:
        pieces[place] = pieces[place] + rng.choice(["(", ")", "))"])
    else:
        pieces.insert(place, pieces[place])
    return " ".join(pieces)


def rule_of(rng, later):
    kind = rng.random()
    if kind < 0.1:
        return [rng.choice([check(rng, later), [check(rng, later) for _ in range(rng.randrange(4))]]) for _ in range(rng.randrange(4))]
    if kind < 0.13:
        return rng.choice(["", None, " ", []])
    rule = text(rng, later)
    return mutated(rng, rule) if kind > 0.85 else rule


def case_of(rng):
    rules = {}
    for number, name in enumerate(RULES):
        rules[name] = rule_of(rng, RULES[number + 1:])
    if rng.random() < 0.3:
        rules["default"] = text(rng, [])
        while "rule:" in rules["default"]:
            rules["default"] = text(rng, [])
    who = {"user_id": rng.choice(["u1", "u2"]), "project_id": rng.choice(["p1", "p2", "None"]), "tenant": rng.choice(["p1", "all"]),
           "system_scope": rng.choice(["all", "None"]), "is_admin_project": "True", "domain_id": "None"}
    target = {"project_id": rng.choice(["p1", "p2"]), "user_id": rng.choice(["u1", "u2"])}
    if rng.random() < 0.5:
        target["role"] = rng.choice(["admin", "reader"])
    return {"rules": rules, "rule": "a", "who": who, "roles": rng.sample(["admin", "Reader", "member"], rng.randrange(4)), "target": target}


class Enforcer:
    """What checks ask for."""

    def __init__(self, rules):
        self.rules = rules


def reference(case):
    """True, False, or `error` for exceptions; and whether all rules that matter can be read."""
    rules, is_read = {}, True

    class Unread(_checks.FalseCheck):
        pass

    parse = _parser._parse_check

    def parse_check(rule):
        if rule not in ("!", "@") and ":" not in rule:
            raise ValueError(rule)
        return parse(rule)

    for name, rule in case["rules"].items():
        try:
            _parser._parse_check = parse_check
            if isinstance(rule, str) and rule:
                state = _parser.ParseState()
                for token, value in _parser._parse_tokenize(rule):
                    state.shift(token, value)
                state.result  # Raises where the rule cannot be read.
        except ValueError:
            is_read = False
        finally:
            _parser._parse_check = parse
        rules[name] = _parser.parse_rule(copy.deepcopy(rule))
    try:
        who = {**case["who"], "roles": case["roles"]}
        answer = bool(_checks._check(rules[case["rule"]], case["target"], who, Enforcer(policy.Rules(rules, "default")), case["rule"]))
    except (SyntaxError, ValueError, TypeError, KeyError, AttributeError):
        return "error", is_read
    return answer, is_read


# What strata refuses although oslo.policy reads it: it fails when it is asked, or lets nobody in.
def is_refused_on_purpose(case):
    for rule in case["rules"].values():
        # One word alone is handed on unread, whatever it is.
        if isinstance(rule, str) and rule.strip().lower() in ("and", "or", "not", "(", ")"):
            return True
        checks = [rule] if isinstance(rule, str) else [each for item in rule or [] for each in ([item] if isinstance(item, str) else item)]
        for each in checks:
            for word in each.split():
                word = word.lstrip("(").rstrip(")")
                kind = word.split(":")[0]
                if word in ("", "@", "!") or word.lower() in ("and", "or", "not"):
                    continue
                if not kind or ":" not in word or not (kind.strip("'\"").replace("_", "").replace(".", "").replace("-", "").isalnum() or kind in ("''", '""')):
                    return True
                if len(word) > 1 and word[0] in "'\"" and word[-1] == word[0]:
                    return True
                if not isinstance(rule, str) and (each.endswith(")") or each.startswith("(")):
                    return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("policy_rules")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    answers = {"true": 0, "false": 0, "error": 0}
    with subprocess.Popen([options.policy_rules], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for number in range(options.count * 20):
            case = case_of(rng)
            program.stdin.write(json.dumps(case) + "\n")
            program.stdin.flush()
            got = program.stdout.readline().strip()
            want, is_read = reference(case)
            answers[got] += 1
            if got == "error":
                fits = not is_read or is_refused_on_purpose(case)
            else:
                fits = is_read and str(want).lower() == got
            if not fits:
                print(f"case {number}: {json.dumps(case)}\nstrata: {got}\noslo.policy: {want}, {'read' if is_read else 'not read'}")
                program.kill()
                return 1
    print(f"{options.count * 20} cases: {answers}")
    return 0 if all(answers.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
