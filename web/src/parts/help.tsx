// SPDX-License-Identifier: Apache-2.0
// The keys, and the switch for those of one letter.
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { singleKeys } from "../state.ts";
import { T } from "../texts-pages.ts";

export function Help({ onClose }: { onClose: () => void }): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  useEffect(() => box.current?.showModal(), []);
  return (
    <dialog ref={box} class="help" aria-labelledby="help-title" onClose={onClose} onClick={(event) => event.target === box.current && box.current?.close()}>
      <div class="pane-head">
        <h2 id="help-title">{T.keys}</h2>
        <button type="button" class="close" aria-label={T.close} onClick={() => box.current?.close()}>
          ×
        </button>
      </div>
      <table>
        <tbody>
          {T.keyList.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">
                <kbd>{keys}</kbd>
              </th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <label class="switch">
        <input type="checkbox" checked={singleKeys.value} onChange={() => (singleKeys.value = !singleKeys.value)} /> {T.singleKeys}
      </label>
      <p>
        <a href="/explore/LICENSES.txt">{T.licences}</a>
      </p>
    </dialog>
  );
}
