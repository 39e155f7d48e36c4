// SPDX-License-Identifier: Apache-2.0
// The code of an error or finding: it leads to what the documentation says of it.
import { signal } from "@preact/signals";
import type { JSX } from "preact";
import { fetchPages } from "../lazy.ts";
import { escaped } from "../pure/characters.ts";
import { T } from "../texts.ts";

/** The code that is explained. */
export const explained = signal<string | undefined>(undefined);

export function Code({ code }: { code: string }): JSX.Element {
  return (
    <button type="button" class="link code error-code" title={T.codeHow} onClick={() => (fetchPages(), (explained.value = code))}>
      [{escaped(code)}]
    </button>
  );
}
