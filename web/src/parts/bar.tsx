// SPDX-License-Identifier: Apache-2.0
// How much of what is written is seen, as a bar with its numbers.
import type { JSX } from "preact";
import { T } from "../texts.ts";

export function Bar({ leaves, seen, never, dead }: { leaves: number; seen: number; never: number; dead: number }): JSX.Element {
  if (leaves === 0) return <span class="quiet">{T.noLeavesOfOwn}</span>;
  const part = (count: number): string => `${leaves === 0 ? 0 : Math.min(100, (100 * count) / leaves)}%`;
  const useful = Math.max(0, seen - dead);
  return (
    <span class="bar-with-text" title={T.barTitle(leaves, seen, never, dead)}>
      <span class="bar-of" aria-hidden="true">
        <span class="bar-seen" style={{ width: part(useful) }} />
        <span class="bar-dead" style={{ width: part(dead) }} />
        <span class="bar-never" style={{ width: part(leaves - seen) }} />
      </span>
      <span>{T.seenOf(seen, leaves)}</span>
    </span>
  );
}
