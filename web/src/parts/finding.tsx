// SPDX-License-Identifier: Apache-2.0
// A finding of strata check, as a person reads it.
import type { JSX } from "preact";
import type { Finding } from "../api.ts";
import { T } from "../texts-pages.ts";
import { Code } from "./code.tsx";
import { PlaceText, SeverityText, Text } from "./show.tsx";

export function FindingText({ finding, withPlace = true }: { finding: Finding; withPlace?: boolean }): JSX.Element {
  return (
    <div class={`diagnostic diagnostic-${finding.severity}`}>
      <p>
        <SeverityText severity={finding.severity} /> <Text text={finding.message} /> <Code code={finding.code} />
      </p>
      {withPlace && finding.file && (
        <p>
          <PlaceText place={{ file: finding.file, line: finding.line ?? null, column: finding.column ?? null }} column />
        </p>
      )}
      {finding.notes.map((note, index) => (
        <p key={index}>
          {T.note} <Text text={note.message} /> {note.file && <PlaceText place={{ file: note.file, line: note.line ?? null, column: note.column ?? null }} column />}
        </p>
      ))}
      {finding.hint && (
        <p>
          {T.hint} <Text text={finding.hint} />
        </p>
      )}
      {finding.silenced_by && (
        <p class="quiet">
          {T.silencedBy[finding.silenced_by]}
          {finding.reason && (
            <>
              : <Text text={finding.reason} />
            </>
          )}
        </p>
      )}
    </div>
  );
}
