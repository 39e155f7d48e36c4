// SPDX-License-Identifier: Apache-2.0
// Where the service wants to know who asks: a token becomes a cookie. Of the first bundle: without a cookie, the others are not to be had.
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { openSession, Refused } from "../api.ts";
import { T } from "../texts.ts";

export function SignIn(): JSX.Element {
  const [problem, setProblem] = useState<string | undefined>(undefined);
  return (
    <form
      class="tools"
      onSubmit={(event) => {
        event.preventDefault();
        openSession(String(new FormData(event.currentTarget).get("token") ?? "").trim()).then(
          () => location.reload(),
          (error: unknown) => {
            if (!(error instanceof Refused)) throw error;
            setProblem(error.message);
          },
        );
      }}
    >
      <label>
        {T.token} <input type="password" name="token" autocomplete="current-password" required />
      </label>
      <button type="submit" class="primary">
        {T.signIn}
      </button>
      <p role="alert">{problem ?? T.signInHow}</p>
    </form>
  );
}
