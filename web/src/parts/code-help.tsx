// SPDX-License-Identifier: Apache-2.0
// What the documentation says of the code of an error or finding.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { asset } from "../api-pages.ts";
import { escaped } from "../pure/characters.ts";
import { findCode, inline } from "../pure/codes.ts";
import { T } from "../texts-pages.ts";
import { useAnswer } from "../use.ts";
import { explained } from "./code.tsx";

/** Once a page. */
export function CodeHelp(): JSX.Element | null {
  const code = explained.value;
  const box = useRef<HTMLDialogElement>(null);
  const answer = useAnswer(code === undefined ? undefined : code, async (signal) => {
    const text = await asset(code!.startsWith("check.") ? "check.md" : "errors.md", signal);
    return findCode(text, code!) ?? null;
  });
  useEffect(() => {
    if (code !== undefined && box.current?.open === false) box.current.showModal();
  }, [code]);
  if (code === undefined) return null;
  const found = answer.key === code ? answer.value : undefined;
  return (
    <dialog
      ref={box}
      class="help"
      aria-labelledby="code-title"
      onClose={() => (explained.value = undefined)}
      onClick={(event) => event.target === box.current && box.current?.close()}
    >
      <div class="pane-head">
        <h2 id="code-title" class="code">
          {escaped(code)}
        </h2>
        <button type="button" class="close" aria-label={T.close} onClick={() => box.current?.close()}>
          ×
        </button>
      </div>
      {answer.error && <p>{T.noAnswer}</p>}
      {found === null && <p>{T.codeUnknown}</p>}
      {found && (
        <dl>
          <dt>{T.codeMeans}</dt>
          <dd>
            <Inline text={found.means} />
          </dd>
          {found.wayOut !== "" && (
            <>
              <dt>{T.codeWayOut}</dt>
              <dd>
                <Inline text={found.wayOut} />
              </dd>
            </>
          )}
        </dl>
      )}
    </dialog>
  );
}

function Inline({ text }: { text: string }): JSX.Element {
  return <>{inline(text).map((piece, index) => (piece.code ? <code key={index}>{piece.text}</code> : piece.text))}</>;
}
