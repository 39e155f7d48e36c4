// SPDX-License-Identifier: Apache-2.0
// What the revision picker offers.
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { History } from "../api.ts";
import { history } from "../api-pages.ts";
import { here } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer } from "../use.ts";
import type { RevisionProps } from "./revision.tsx";
import { RefusedText, Text } from "./show.tsx";

export function RevisionDialog({ label, none, onValue, onClose }: RevisionProps & { onClose: () => void }): JSX.Element {
  const [text, setText] = useState("");
  const box = useRef<HTMLDialogElement>(null);
  const { project: name } = here.value;
  const answer = useAnswer(name !== "" ? JSON.stringify([name, "history"]) : undefined, (signal) => history(name, signal));
  useEffect(() => box.current?.showModal(), []);
  const choose = (chosen: string | undefined): void => {
    box.current?.close();
    onValue(chosen === none ? undefined : chosen);
  };
  const small = text.toLowerCase();
  return (
    <dialog ref={box} class="revisions" aria-label={label} onClose={onClose} onClick={(event) => event.target === box.current && box.current?.close()}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          choose(text.trim() === "" ? undefined : text.trim());
        }}
      >
        <label>
          {T.revision}
          <input type="text" spellcheck={false} autocomplete="off" value={text} placeholder={T.revisionHow} onInput={(event) => setText(event.currentTarget.value)} />
        </label>
        <button type="submit" class="primary">
          {T.show}
        </button>
        <button type="button" onClick={() => box.current?.close()}>
          {T.close}
        </button>
      </form>
      <ul>
        {none.toLowerCase().includes(small) && (
          <li>
            <button type="button" class="link" onClick={() => choose(undefined)}>
              {none}
            </button>
          </li>
        )}
        <Revisions found={answer.value} small={small} choose={choose} />
      </ul>
      {answer.error && <RefusedText error={answer.error} />}
    </dialog>
  );
}

/** More are found by typing. */
const MOST_REFERENCES = 30;

function Revisions({ found, small, choose }: { found: History | undefined; small: string; choose: (revision: string) => void }): JSX.Element {
  const references = found?.references.filter((one) => one.toLowerCase().includes(small)) ?? [];
  return (
    <>
      {found?.revisions
        .filter((one) => one.name.toLowerCase().includes(small))
        .map((one) => (
          <li key={one.name}>
            <button type="button" class="link" onClick={() => choose(one.name)}>
              <Text text={one.name} lines={false} />
            </button>{" "}
            <span class="quiet code">{one.commit.slice(0, 8)}</span>
          </li>
        ))}
      {references.length > 0 && <li class="quiet">{T.branchesAndTags}</li>}
      {references.slice(0, MOST_REFERENCES).map((one) => (
        <li key={one}>
          <button type="button" class="link" onClick={() => choose(one)}>
            <Text text={one} lines={false} />
          </button>
        </li>
      ))}
      {references.length > MOST_REFERENCES && <li class="quiet">{T.more(references.length - MOST_REFERENCES)}</li>}
      {found && found.commits.length > 0 && <li class="quiet">{T.commitsOf}</li>}
      {found?.commits
        .filter((one) => `${one.commit} ${one.subject}`.toLowerCase().includes(small))
        .map((one) => (
          <li key={one.commit}>
            <button type="button" class="link code" onClick={() => choose(one.commit)}>
              {one.commit.slice(0, 8)}
            </button>{" "}
            <Text text={one.subject} lines={false} /> <span class="quiet">{T.date(one.date)}</span>
          </li>
        ))}
    </>
  );
}
