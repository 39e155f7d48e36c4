// SPDX-License-Identifier: Apache-2.0
// What a row of a list opens beside it, or below it where there is little room.
import type { ComponentChildren, JSX } from "preact";
import { useEffect } from "preact/hooks";
import { T } from "../texts-pages.ts";
import { useShown } from "./keys.ts";
import { Text } from "./show.tsx";

interface Props {
  label: string;
  title: string;
  class?: string;
  /** What it is about: below a list it comes into view whenever that changes. */
  about: unknown;
  /** The focus goes into the pane whenever this changes; undefined leaves it where it is. */
  enters: string | undefined;
  /** Escape, and the button. */
  onClose: () => void;
  children: ComponentChildren;
}

export function Pane(props: Props): JSX.Element {
  const pane = useShown(props.about);
  useEffect(() => {
    if (props.enters !== undefined) pane.current?.focus({ preventScroll: true });
  }, [props.enters]);
  return (
    <aside
      ref={pane}
      class={`pane ${props.class ?? ""}`}
      aria-label={props.label}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        props.onClose();
      }}
    >
      <div class="pane-head">
        <h2>
          <Text text={props.title} lines={false} />
        </h2>
        <button type="button" class="close" aria-label={T.close} title={T.closeKey} onClick={props.onClose}>
          ×
        </button>
      </div>
      {props.children}
    </aside>
  );
}
