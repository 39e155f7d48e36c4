"""Prints, for each node, the values that lost against others in a key of the example site. Run it in the root of the source."""
from __future__ import annotations

import strata_layers as strata


def losers(found: strata.Result) -> list[strata.Change]:
    return [change for change in found.history() if change.fate != "won"]


def main() -> None:
    with strata.open(verb="lookup", codedir="examples/hiera", nodes="examples/hiera/nodes") as fleet:
        for name, found in fleet.all("accounts::users"):
            for change in losers(found):
                print(f"{name}: {change.fate}: {change.file}:{change.line}: {change.value!r} ({change.layer})")


if __name__ == "__main__":
    main()
