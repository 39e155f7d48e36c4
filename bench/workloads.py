#!/usr/bin/env python3
"""Makes the sized inputs of the benchmarks. Everything follows from the arguments.

usage: workloads.py parts PARTS USERS DIR      user-data parts, each with list(append)+dict(recurse_list)+str()
       workloads.py layers LAYERS LEAVES DIR   layers of nested mappings that override half of each other
       workloads.py records MEGABYTES DIR      one YAML file of records
"""
import pathlib
import random
import sys


def parts(count, users, folder):
    for part in range(count):
        lines = ["#cloud-config", "merge_how: list(append)+dict(recurse_list)+str()", "users:"]
        for user in range(users):
            lines += [
                f"  - name: user-{part:05d}-{user:04d}",
                f"    gecos: User {user} of part {part}",
                f"    groups: [adm, g{user % 7}]",
                "    shell: /bin/bash",
                "    sudo:",
                '      - "ALL=(ALL) NOPASSWD:ALL"',
                "    ssh_authorized_keys:",
                f"      - ssh-ed25519 AAAAC3Nza{part:08d}K{user:06d} user{user}@host{part}",
            ]
        lines += ["packages:"] + [f"  - pkg-{part}-{i}" for i in range(5)]
        lines += ["runcmd:", f'  - [echo, "part {part}"]', "settings:", f"  part{part % 10}:", f"    n: {part}", f"    tags: [t{part}]"]
        (folder / f"p{part:05d}").write_text("\n".join(lines) + "\n")


def leaf(source):
    kind = source.random()
    if kind < 0.4:
        return str(source.randrange(0, 1 << 31))
    if kind < 0.7:
        return '"%s"' % "".join(source.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(source.randint(6, 24)))
    if kind < 0.8:
        return "true" if source.random() < 0.5 else "false"
    if kind < 0.9:
        return str(round(source.random() * 1000, 3))
    return "[%s]" % ", ".join("item%05d" % source.randrange(100000) for _ in range(3))


def layers(count, leaves, folder):
    source = random.Random(1)
    universe = [(f"d{i:02d}", f"s{j:02d}", f"g{k:02d}", f"k{m:03d}")
                for i in range(20) for j in range(10) for k in range(10) for m in range(leaves // 1000)]
    for layer in range(count):
        tree = {}
        for a, b, c, d in source.sample(universe, leaves):
            tree.setdefault(a, {}).setdefault(b, {}).setdefault(c, {})[d] = leaf(source)
        with open(folder / f"layer{layer}.yaml", "w", encoding="utf-8") as file:
            for a, x in tree.items():
                file.write(f"{a}:\n")
                for b, y in x.items():
                    file.write(f"  {b}:\n")
                    for c, z in y.items():
                        file.write(f"    {c}:\n")
                        file.writelines(f"      {d}: {value}\n" for d, value in z.items())


def records(megabytes, folder):
    source = random.Random(1)

    def word(length):
        return "".join(source.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(length))

    written = 0
    with open(folder / "records.yaml", "w", encoding="utf-8") as file:
        for number in range(10**9):
            note = " ".join(word(source.randint(2, 9)) for _ in range(15))
            text = (f"rec{number:06d}:\n  id: {number}\n  name: {word(12)}\n  enabled: {source.choice(['true', 'false'])}\n"
                    f"  ratio: {round(source.random(), 6)}\n  tags:\n" + "".join(f"  - {word(6)}\n" for _ in range(4)) +
                    f'  owner:\n    team: {word(8)}\n    mail: "{word(7)}@example.org"\n    oncall:\n      primary: {word(6)}\n'
                    f'      backup: null\n  note: "{note}"\n')
            written += file.write(text)
            if written >= megabytes * 1e6:
                return


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[-1])
    folder.mkdir(parents=True, exist_ok=True)
    numbers = [int(text) for text in sys.argv[2:-1]]
    {"parts": parts, "layers": layers, "records": records}[sys.argv[1]](*numbers, folder)


if __name__ == "__main__":
    main()
