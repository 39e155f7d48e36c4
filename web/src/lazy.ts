// SPDX-License-Identifier: Apache-2.0
// The bundle of what is seldom seen first.
import { signal } from "@preact/signals";

/** What is in pages.js: fetched when the first page stands, or at once where it is asked for. */
export const pages = signal<typeof import("./pages.tsx") | undefined>(undefined);
export const pagesFailed = signal(false);

export function fetchPages(): void {
  import("./pages.tsx").then(
    (found) => {
      pages.value = found;
    },
    () => {
      pagesFailed.value = true;
    },
  );
}
