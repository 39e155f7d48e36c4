# SPDX-License-Identifier: Apache-2.0
"""The command line of comparisons that make each case from a seed: the cases run in parallel, and the first differences are shown."""
import argparse
import concurrent.futures
import os


def run_cases(description, check, cases="cases"):
    """Gives the exit status. `check(program, seed)` gives None, or what differs, as a text that names the seed."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("strata")
    parser.add_argument("--seed", type=int, default=1, help="of the whole run: another one has other cases")
    parser.add_argument("--case", type=int, help="the seed of one case, to run it alone")
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=5, help="differences to show")
    options = parser.parse_args()
    program = os.path.abspath(options.strata)
    seeds = [options.seed * 1_000_000 + i for i in range(options.count)] if options.case is None else [options.case]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        found = [each for each in pool.map(lambda seed: check(program, seed), seeds) if each is not None]
    for each in found[:options.most]:
        print(each, end="\n\n")
    print(f"{len(seeds)} {cases}, {len(found)} differences")
    return 1 if found else 0
