// SPDX-License-Identifier: Apache-2.0
// Which state of the files: the working tree, a branch, a tag, a commit, or anything that git understands. The dialog is fetched with the other pages.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { fetchPages, pages } from "../lazy.ts";
import { Text } from "./show.tsx";

export interface RevisionProps {
  label: string;
  value: string | undefined;
  /** What no value means. */
  none: string;
  onValue: (value: string | undefined) => void;
}

export function RevisionPicker(props: RevisionProps): JSX.Element {
  const { label, value, none } = props;
  const [open, setOpen] = useState(false);
  const Dialog = pages.value?.RevisionDialog;
  return (
    <>
      <button type="button" class="picker" onClick={() => (fetchPages(), setOpen(true))} aria-haspopup="dialog">
        <span class="quiet">{label}</span> <Text text={short(value ?? none)} lines={false} /> <span aria-hidden="true">▾</span>
      </button>
      {open && Dialog && <Dialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** A hash in full says no more than its beginning. */
const short = (revision: string): string => (/^[0-9a-f]{20,64}$/.test(revision) ? revision.slice(0, 8) : revision);
