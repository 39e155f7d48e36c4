#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/performance.md from the results of benchmarks, which they write with --json FILE.

usage: page.py RESULTS PAGE    RESULTS: a folder with NAME.json files

A benchmark without a file in RESULTS keeps its section of PAGE, so that one benchmark can be measured again alone. The same files and the same page
give the same bytes.
"""
import json
import pathlib
import re
import sys
import textwrap
import typing

HEAD = """<!-- script/bench --page writes this page. -->

# Performance

Figures of strata, each with its baseline, the number of threads, the machine, the date and the command that measures it again. `script/bench` runs
every benchmark and writes its results to `build/bench`; `script/bench --page` makes this page from them.

A figure with × is a ratio to the baseline: 0.40 × takes 0.40 times what the baseline takes. strata and the baseline run in turns on the same machine,
and the figure is the median of the ratios, so it depends little on the machine and on other load. Times in seconds, milliseconds and microseconds are
of the machine that the section names. Memory is the peak resident size of the process. *All* threads means one thread per core.

A budget follows its figure in parentheses: ≤ is an upper bound, ≥ a lower one. A figure outside of its budget is a regression, or a sign that
other programs had the machine: the load average counts them.
"""


class Section(typing.NamedTuple):
    name: str  # of the file of results, and of a benchmark of script/bench if `command` is empty
    title: str
    about: str
    command: str = ""


SECTIONS = [
    Section("program", "Commands", "A whole run of a command, from start to exit, with its output. The baseline is libyaml's bare event scan of the same bytes "
            "(`bench/event_scan.cpp`): a parser that reads every file and does nothing with it. A ratio below 1 means that strata reads, merges and prints "
            "in less time than libyaml needs to parse. `inject` reads bindings, which are not YAML; its baseline is a scan of as many bytes of YAML."),
    Section("source_map", "Source maps", "The same command with and without `--source-map`.", "script/bench program"),
    Section("empty_layer", "Layers of bindings", "A layer of Hiera without data above 20,000 bindings: each key is looked up there and not found.", "script/bench program"),
    Section("fleet", "Fleets", "`strata lookup` for each node of a fleet. The baseline is `bench/inventory_baseline.py`, a script of fifty lines that reads the same data as "
            "JSON and merges five levels."),
    Section("impact", "Impact of an edit", "`strata impact` of an edit of one line. The baseline is one evaluation of each key of each node.", "script/bench fleet"),
    Section("fleet_memory", "Memory per node", "The budget is 1.2 times the peak of 1,000 nodes and 64 bytes for each further node.", "script/bench fleet"),
    Section("service", "Service", "`strata serve` on loopback with one I/O thread on one core, and wrk on another. The baseline of requests is a response of fixed bytes from "
            "the same server; the other baselines are the commands that do the same work."),
    Section("explorer", "Explorer", "Times in Chromium, from a key or a click to the frame that shows the result."),
    Section("lookup", "Lookups in the library", "Lookups in a process that has read the files. The baseline is Puppet's own lookup in one Ruby process, with the same data "
            "already read; a ratio of 100 is a hundred times its rate."),
    Section("expressions", "Expressions", "Programs of the Puppet language, parsed once and evaluated repeatedly. The baseline is the rate of Puppet's evaluator in one Ruby "
            "process; a ratio of 100 is a hundred times its rate."),
    Section("bindings", "Bindings in the library", "250 documents with 62,000 statements."),
    Section("merge", "Merging", "The merge kernel in memory, without reading and printing."),
    Section("text", "Reading and writing", "The same document in memory. The baseline is libyaml's event scan of its YAML, per byte."),
    Section("value", "Representation of values", "Three representations of the same YAML events: 10 MB of records, all scalars strings."),
    Section("c", "C and Python", "A lookup in a process that has read the files. The baseline is the C++ call."),
    Section("resident", "Long-lived processes", "An engine that keeps its inputs: 10,000 edits of a site beside 8 reading threads, and 1,000,000 requests."),
    Section("build", "Compile time", "The release preset from an empty folder, without a compiler cache."),
]


def number(value, unit):
    """Two or three significant digits, and thousands in groups."""
    if value >= 1000 or (value >= 10 and unit in ("x", "per second")):
        return f"{value:,.0f}"
    if value < (0.01 if unit == "x" else 1):
        return f"{value:.3f}"
    return f"{value:.2f}" if unit == "x" else f"{value:.1f}"


def shown(row):
    """A figure with its unit, and its budget in parentheses."""
    figure = number(row["figure"], row["unit"]) + {"x": " ×", "%": " %"}.get(row["unit"], f" {row['unit']}")
    if row["budget"] is not None:
        return f"{figure} (≤ {row['budget']:g})"
    return figure if row["at_least"] is None else f"{figure} (≥ {row['at_least']:g})"


def heading(row, is_second):
    return f"{row['measured']}, {'all threads' if row['threads'] == 'all' else row['threads']}" if is_second else row["measured"]


def table(section, result):
    """A line for each workload: its first figure has a column for the baseline and the threads, further ones have columns of their own."""
    workloads = {}
    for row in result["rows"]:
        workloads.setdefault(row["workload"], []).append(row)
    lines, headings = [], []
    for rows in workloads.values():
        first, *others = rows
        cells = {}
        for row in others:
            cells[heading(row, row["threads"] != first["threads"])] = shown(row) + (f" {row['baseline']}" if row["baseline"] not in ("", first["baseline"]) else "")
        headings += [name for name in cells if name not in headings]
        lines.append((first, cells))
    yield f"Measured {result['date']} on {result['cpu']}, {result['cores']} cores, load average {result['load']}: `{section.command or result['command']}`."
    yield ""
    columns = ["workload", "measured", "figure", "baseline", "threads", *headings]
    yield f"| {' | '.join(columns)} |"
    yield "|" + "---|" * len(columns)
    for first, cells in lines:
        own = [first["workload"], first["measured"], shown(first), first["baseline"], first["threads"]]
        yield f"| {' | '.join([*own, *(cells.get(name, '') for name in headings)])} |"


def old_tables(page):
    """The table of each section with the line above it, by title."""
    found = {}
    for part in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        title, _, rest = part.partition("\n")
        measured = re.search(r"^Measured .*", rest, re.MULTILINE | re.DOTALL)
        if measured:
            found[title] = measured.group().strip()
    return found


def page(results, old):
    kept = old_tables(old)
    parts = [HEAD]
    for section in SECTIONS:
        command = section.command or f"script/bench {section.name}"
        if section.name in results:
            rows = "\n".join(table(section, results[section.name]))
        else:
            rows = kept.get(section.title, f"Not measured yet: `{command}`.")
        parts.append(f"## {section.title}\n\n{textwrap.fill(section.about, width=150)}\n\n{rows}\n")
    return "\n".join(parts)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder, path = (pathlib.Path(argument) for argument in sys.argv[1:])
    results = {}
    for section in SECTIONS:
        file = folder / f"{section.name}.json"
        if file.exists():
            results[section.name] = json.loads(file.read_text(encoding="utf-8"))
    if not results:
        sys.exit(f"page: {folder} has no results: run script/bench first")
    path.write_text(page(results, path.read_text(encoding="utf-8") if path.exists() else ""), encoding="utf-8")


if __name__ == "__main__":
    main()
