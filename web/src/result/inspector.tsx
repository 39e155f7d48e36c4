// SPDX-License-Identifier: Apache-2.0
// Why a leaf has its value: the winner, the losers struck through with the reason, the rule that chose.
import type { JSX } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Contribution, Diagnostic, Leaf, ListReport } from "../api.ts";
import { leaf as ask, leafOfAll } from "../api-pages.ts";
import { layerColour, layerShort } from "../parts/layers.ts";
import { Pane } from "../parts/pane.tsx";
import { Copy, DiagnosticText, FateSign, isFile, isSecret, Link, LONG, Loading, PlaceText, RefusedText, Text, ValueText, valueText, download, BEGINNING } from "../parts/show.tsx";
import { exactNumber } from "../pure/numbers.ts";
import { here, project, to, turn } from "../state.ts";
import { SetFor, settable } from "../whatif/set.tsx";
import { T } from "../texts-pages.ts";
import { useAnswer } from "../use.ts";

interface Props {
  subject: string;
  item: string;
  path: string;
  /** Why there is no value: then there is no history to ask for. */
  failed: Diagnostic | undefined;
  /** The focus goes there whenever this changes. */
  enters: number;
  onClose: () => void;
}

export function Inspector({ subject, item, path, failed, enters, onClose }: Props): JSX.Element {
  const { project: name, query } = here.value;
  const key = JSON.stringify([name, query.at, subject, item, path]);
  const answer = useAnswer(failed ? undefined : key, (signal) => ask(name, query.at, subject, item, path, signal));
  // Those take longer, because all subjects are asked: they come when the rest is there.
  const isThere = answer.key === key && answer.value !== undefined;
  const single = isThere && answer.value!.entries.length === 1 && answer.value!.entries[0]!.path === path;
  const isOneOfMany = single && (project.value?.subjects ?? 0) > 1;
  const others = useAnswer(isOneOfMany ? `${key} others` : undefined, (signal) => leafOfAll(name, query.at, subject, item, path, signal));
  const leaf = answer.value;
  const told = others.value && leaf && sameLeaf(others.value, leaf) ? others.value.others : null;
  // What was chosen before stays as it is until the answer is there.
  const text = useMemo(() => leaf && <LeafText leaf={leaf} subject={subject} others={told} />, [leaf, told]);
  return (
    <Pane
      class={`inspector ${answer.busy && leaf ? "dimmed" : ""}`}
      label={T.inspector}
      title={`${item}${path}` || "/"}
      about={`${item}\n${path}`}
      enters={`${item}\n${path}\n${enters}`}
      onClose={onClose}
    >
      {failed && (
        <>
          <DiagnosticText diagnostic={failed} />
          <p class="buttons">
            {isFile(failed) && (
              <Link class="button primary" to={to("file", failed.file, { line: String(failed.line) })}>
                {T.goToLine}
              </Link>
            )}
            <Copy text={`${item}${path}`}>{T.copyPath}</Copy>
          </p>
        </>
      )}
      {answer.error && <RefusedText error={answer.error} />}
      {!leaf && !answer.error && !failed && <Loading label={T.loadingLeaf} />}
      {text}
    </Pane>
  );
}

const sameLeaf = (one: Leaf, other: Leaf): boolean => one.item === other.item && one.path === other.path;

function LeafText({ leaf: told, subject, others }: { leaf: Leaf; subject: string; others: Leaf["others"] }): JSX.Element {
  // JSON has no such numbers: `.inf`.
  const leaf = told.type === "float" && typeof told.value === "string" && /^[-+]?\./.test(told.value) ? { ...told, value: exactNumber(told.value) } : told;
  const single = leaf.entries.length === 1 ? leaf.entries[0]! : undefined;
  const history = [...(single?.history ?? [])].sort((one, other) => one.rank - other.rank);
  const winner = history.find((one) => one.fate === "won" || one.fate === "merged");
  const word = T.subjectWords(project.value);
  const whole = valueText(leaf);
  const [sets, setSets] = useState(false);
  const isMany = (project.value?.subjects ?? 0) > 1;
  return (
    <>
      <div class="effective">
        <BigValue leaf={leaf} />
        <p class="quiet">
          {leaf.type}
          {leaf.spelling !== "" && leaf.spelling !== `${leaf.item}${leaf.path}` && (
            <>
              {" · "}
              <code>
                <Text text={leaf.spelling} lines={false} />
              </code>
            </>
          )}
        </p>
      </div>
      <p class="buttons">
        {winner && isFile(winner) && (
          <Link class="button primary" to={to("file", winner.file, { line: String(winner.line) })}>
            {T.goToLine}
          </Link>
        )}
        {winner && isFile(winner) && (
          <Link class="button" to={to("what-if", winner.file, { subject })}>
            {T.tryEdit}
          </Link>
        )}
        {leaf.type !== "secret" && settable.value && (
          <button type="button" onClick={() => setSets(true)}>
            {T.setFor}
          </button>
        )}
        <Copy text={`${leaf.item}${leaf.path}`}>{T.copyPath}</Copy>
        <Copy text={leaf.command}>{T.copyCommand}</Copy>
      </p>
      {whole.length > LONG && <Whole text={typeof leaf.value === "string" && leaf.value.includes("\n") ? leaf.value : whole} />}
      {sets && <SetFor item={leaf.item} path={leaf.path} value={whole.length > LONG ? "" : whole} subject={isMany ? subject : undefined} onClose={() => setSets(false)} />}
      {single ? <History history={history} /> : <Entries leaf={leaf} />}
      {leaf.inputs.length > 1 && <Inputs inputs={leaf.inputs} />}
      {leaf.strategy && (
        <section>
          <h3>{T.strategy}</h3>
          <p>
            <code>
              <Text text={leaf.strategy.text} />
            </code>{" "}
            {leaf.strategy.origin ? (
              <>
                {T.setIn} <PlaceText place={leaf.strategy.origin} most={46} />
              </>
            ) : (
              leaf.strategy.default && T.byDefault
            )}
          </p>
        </section>
      )}
      {leaf.list && <ListText list={leaf.list} />}
      {others && (
        <section>
          <h3>{T.others(word)}</h3>
          <p>{T.sameValue(others.same_value, others.of, others.same_origin, word)}</p>
          <p>
            <Link to={to("matrix", "", { keys: leaf.path === "" ? leaf.item : `${leaf.item}${leaf.path}`, all: "1" })}>{T.inMatrix(word)}</Link>
          </p>
        </section>
      )}
    </>
  );
}

/** What one element of text is fit for. */
const MOST_TEXT = 1024 * 1024;

/** All of a long value, in a pane of its own; what is longer still can be downloaded alone. */
function Whole({ text }: { text: string }): JSX.Element {
  const box = useRef<HTMLDialogElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open) box.current?.showModal();
  }, [open]);
  return (
    <p class="buttons">
      {text.length <= MOST_TEXT ? (
        <button type="button" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          {T.wholeValue}
        </button>
      ) : (
        <span class="quiet">{T.tooLong}</span>
      )}
      <button type="button" onClick={() => download("value.json", text)}>
        {T.download}
      </button>
      {open && (
        <dialog ref={box} class="whole" aria-label={T.value} onKeyDown={(event) => event.stopPropagation()} onClose={() => setOpen(false)}>
          <div class="pane-head">
            <Copy text={text}>{T.copyText}</Copy>
            <button type="button" class="close" aria-label={T.close} onClick={() => box.current?.close()}>
              ×
            </button>
          </div>
          <pre tabIndex={0} aria-label={T.value}>
            <Text text={text} />
          </pre>
        </dialog>
      )}
    </p>
  );
}

function BigValue({ leaf }: { leaf: Leaf }): JSX.Element {
  if (leaf.value === undefined && !isSecret(leaf)) return <p class="big gone">{T.gone}</p>;
  const text = typeof leaf.value === "string" && !isSecret(leaf) ? leaf.value : undefined;
  // A text of several lines is read as such, everything else as JSON.
  if (text !== undefined && text.includes("\n")) {
    return (
      <pre class="big" tabIndex={0} aria-label={T.value}>
        <Text text={text.length > LONG ? `${text.slice(0, BEGINNING)}…` : text} />
      </pre>
    );
  }
  return (
    <p class="big">
      <ValueText side={leaf} />
    </p>
  );
}

function History({ history }: { history: readonly Contribution[] }): JSX.Element {
  return (
    <section>
      <h3>{T.history}</h3>
      <ol class="history" aria-label={T.history}>
        {history.map((one, index) => (
          <li key={index} class={`contribution ${one.fate} ${layerColour(one)}`}>
            <div class="contribution-head">
              <FateSign fate={one.fate} />
              <span class="layer" title={one.layer ?? ""}>
                <Text text={layerShort(one)} lines={false} />
              </span>
            </div>
            {one.fate === "shadowed" || one.fate === "removed" ? (
              <s class="contribution-value">
                <span class="hidden">{T.fates[one.fate]}: </span>
                <ValueText side={one} most={LONG} />
              </s>
            ) : (
              <strong class="contribution-value">
                <ValueText side={one} />
              </strong>
            )}
            <div>
              <PlaceText place={one} column most={52} />
              {one.via && (
                <span class="quiet">
                  {" "}
                  {T.via} <PlaceText place={one.via} column most={40} />
                </span>
              )}
            </div>
            {one.reason && (
              <p class="reason">
                <Text text={one.reason} />
              </p>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A container: its leaves, each with its winner; and what is gone. */
function Entries({ leaf }: { leaf: Leaf }): JSX.Element {
  const most = 200;
  return (
    <section>
      <h3>{T.leaves(leaf.entries.length)}</h3>
      {leaf.entries.length === 0 && <p>{T.noLeaves}</p>}
      <ul class="entries">
        {leaf.entries.slice(0, most).map((entry) => {
          const losers = entry.history.filter((one) => one.fate === "shadowed" || one.fate === "removed").length;
          const winner = [...entry.history].sort((one, other) => one.rank - other.rank)[0];
          const gone = entry.value === undefined && !isSecret(entry);
          return (
            <li key={entry.path}>
              <button type="button" class="link" onClick={() => turn({ item: leaf.item, leaf: entry.path })}>
                <Text text={entry.path.slice(leaf.path.length) || "/"} lines={false} />
              </button>{" "}
              {gone ? <s>{T.gone}</s> : <ValueText side={entry} most={80} />}{" "}
              <span class="quiet">
                {winner && <PlaceText place={winner} most={34} />} {losers > 0 && T.losers(losers)}
              </span>
            </li>
          );
        })}
      </ul>
      {leaf.entries.length > most && <p>{T.more(leaf.entries.length - most)}</p>}
    </section>
  );
}

function Inputs({ inputs }: { inputs: readonly Contribution[] }): JSX.Element {
  return (
    <section>
      <h3>{T.inputs}</h3>
      <ul class="entries">
        {inputs.map((one, index) => (
          <li key={index}>
            <ValueText side={one} most={120} />{" "}
            <span class="quiet">
              <Text text={one.layer ?? ""} lines={false} /> <PlaceText place={one} column most={40} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ListText({ list }: { list: ListReport }): JSX.Element {
  return (
    <section>
      <h3>{T.listMerged}</h3>
      <p>
        {T.listAction(list.action, list.count, list.layers)}{" "}
        <code>
          <Text text={list.strategy} />
        </code>{" "}
        {list.option && (
          <>
            {T.setIn} <PlaceText place={list.option} most={46} />
          </>
        )}
      </p>
      <ol class="entries" start={0}>
        {list.items.slice(0, 200).map((one, index) => (
          <li key={index}>
            <span class={`stripe ${layerColour(one)}`}>
              <span class="layer">
                <Text text={layerShort(one)} lines={false} />
              </span>
              <PlaceText place={one} column most={44} />
            </span>
          </li>
        ))}
      </ol>
      {list.dropped.length > 0 && (
        <ul class="entries">
          {list.dropped.slice(0, 200).map((one, index) => (
            <li key={index}>
              <s>
                <span class="hidden">{T.dropped}: </span>
                <ValueText side={one} most={80} />
              </s>{" "}
              <span class="quiet">
                {T.why(one.why)} <PlaceText place={one} column most={40} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

