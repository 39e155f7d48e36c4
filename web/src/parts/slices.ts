// SPDX-License-Identifier: Apache-2.0
// Long lists are drawn in slices.
import { useEffect, useMemo, useState } from "preact/hooks";

/** How many of a list are drawn: some at once, and more whenever the browser had time to hear keys. */
export function useSlices(count: number, size: number): number {
  const [drawn, setDrawn] = useState(size);
  useEffect(() => {
    if (drawn >= count) return undefined;
    const timer = setTimeout(() => setDrawn(drawn + size), 0);
    return () => clearTimeout(timer);
  }, [drawn, count, size]);
  return Math.min(drawn, count);
}

/** What is drawn of each of some things, made once for the same `of`: what grows is not drawn anew from its beginning. */
export function useMade<K, V>(of: readonly unknown[], make: (one: K) => V): (one: K) => V {
  const made = useMemo(() => new Map<K, V>(), of);
  return (one) => {
    if (!made.has(one)) made.set(one, make(one));
    return made.get(one)!;
  };
}
