// SPDX-License-Identifier: Apache-2.0
// The result of a subject as plain text, to copy or download.
import type { JSX } from "preact";
import { text as askText } from "../api-pages.ts";
import { Copy, download, Loading, RefusedText, Text } from "../parts/show.tsx";
import { escaped } from "../pure/characters.ts";
import { here } from "../state.ts";
import { T } from "../texts-pages.ts";
import { useAnswer } from "../use.ts";

export function PlainText({ view }: { view: "yaml" | "json" }): JSX.Element {
  const { project: name, name: subject, query } = here.value;
  const answer = useAnswer(JSON.stringify([name, query.at, subject, view]), (signal) => askText(name, query.at, subject, view, signal));
  if (answer.error) return <RefusedText error={answer.error} />;
  if (answer.value === undefined) return <Loading label={T.loadingResult} />;
  const whole = answer.value;
  return (
    <div class="plain">
      <p class="tools">
        <Copy text={whole}>{T.copyText}</Copy>
        <button type="button" onClick={() => download(`${subject.replace(/[^\w.-]+/g, "_")}.${view}`, whole)}>
          {T.download}
        </button>
        {whole.length > MOST_TEXT && <span>{T.textTooLong}</span>}
      </p>
      <pre class="text" tabIndex={0} aria-label={T.resultOf(escaped(subject))}>
        <Text text={whole.slice(0, MOST_TEXT)} />
      </pre>
    </div>
  );
}

/** What one element of text is fit for. */
const MOST_TEXT = 1024 * 1024;
