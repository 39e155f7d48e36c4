// SPDX-License-Identifier: Apache-2.0
// A project at a glance: its layers, what is wrong, what is overridden most, which commits changed a result.
import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { overview as ask, type Overview } from "../api.ts";
import { Bar } from "../parts/bar.tsx";
import { layerColour, learnLayers } from "../parts/layers.ts";
import { Heading, Unknown } from "../parts/page.tsx";
import { DiagnosticText, Empty, Link, Loading, placeText, RefusedText, SeverityText, Text } from "../parts/show.tsx";
import { at, here, project, projects, replace, to } from "../state.ts";
import { address } from "../address.ts";
import { escaped } from "../pure/characters.ts";
import { T } from "../texts.ts";
import { useAnswer } from "../use.ts";

export function OverviewPage(): JSX.Element {
  const { project: name } = here.value;
  const fast = useAnswer(JSON.stringify([name, at.value, "overview"]), (signal) => ask(name, at.value, false, signal));
  const slow = useAnswer(fast.value ? JSON.stringify([name, at.value, "commits"]) : undefined, (signal) => ask(name, at.value, true, signal));
  const view = fast.value;
  useEffect(() => {
    if (view) learnLayers(name, view.layers.map((layer) => layer.name));
  }, [view]);
  if (fast.error?.status === 404 && !at.value && projects.value?.some((one) => one.name === name) === false) {
    return <Unknown what={T.project} name={name} error={fast.error} near={projects.value.map((one) => one.name)} page="projects" />;
  }
  // What the list of projects tells is there at once.
  const known = view ?? (at.value === undefined ? project.value : undefined);
  return (
    <>
      <Heading title={name} />
      <div class="scrolls overview">
        {known && (
          <nav class="tiles" aria-label={T.beginHere}>
            <Tile to={to("subjects")} number={known.subjects} text={T.subjectWords(known, known.subjects ?? 2)} more={T.tileSubjects} />
            <Tile to={to("files")} number={known.files} text={T.filesOf(known.files ?? 2)} more={T.tileFiles} />
            <Tile to={to("findings")} number={known.errors === null ? null : known.errors + (known.warnings ?? 0)} text={T.tileProblems((known.errors ?? 0) + (known.warnings ?? 0))} more={T.tileFindings} />
            <Tile to={to("matrix")} number={null} text={T.pages.matrix} more={T.tileMatrix} />
          </nav>
        )}
        {at.value === undefined && project.value?.error ? <DiagnosticText diagnostic={project.value.error} /> : fast.error && <RefusedText error={fast.error} />}
        {!view && !fast.error && <Loading label={T.loadingProject} />}
        {view && (
          <section>
            <h2>{T.layersHeading}</h2>
            <p class="quiet">{T.layersAbout}</p>
            {view.layers.length === 0 ? (
              <Empty>{T.nothingWithout(known, T.noLayers)}</Empty>
            ) : (
              <div class="table-box" tabIndex={0} role="region" aria-label={T.layersHeading}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{T.layer}</th>
                      <th scope="col" class="count">
                        {T.title(T.files)}
                      </th>
                      <th scope="col">{T.leavesColumn}</th>
                      <th scope="col" class="count">
                        {T.neverVisible}
                      </th>
                      <th scope="col" class="count">
                        {T.deadOverride}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {view.layers.map((layer) => (
                      <tr key={layer.name}>
                        <th scope="row">
                          <span class={`stripe ${layerColour(layer)}`}>
                            <Text text={layer.name} lines={false} />
                          </span>
                        </th>
                        <td class="count">{T.number(layer.files)}</td>
                        <td>
                          <Bar leaves={layer.leaves} seen={layer.seen} never={layer.never_visible} dead={layer.dead_override} />
                        </td>
                        <td class="count">{layer.never_visible > 0 ? T.number(layer.never_visible) : ""}</td>
                        <td class="count">{layer.dead_override > 0 ? T.number(layer.dead_override) : ""}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </section>
        )}
        {view && view.subjects !== 0 && (
          <div class="columns">
            <section>
              <h2>{T.pages.findings}</h2>
              {view.findings.length === 0 ? (
                <p>{T.noFindings}</p>
              ) : (
                <ul class="entries">
                  {view.findings.map((finding) => (
                    <li key={finding.code}>
                      <SeverityText severity={finding.severity} />{" "}
                      <Link to={to("findings", "", { code: finding.code })}>{T.findingShort(finding.code)}</Link> <b>{T.number(finding.count)}</b>
                    </li>
                  ))}
                </ul>
              )}
            </section>
            <section>
              <h2>{T.mostOverridden}</h2>
              {view.overridden.length === 0 ? (
                <p>{T.nothingOverridden}</p>
              ) : (
                <ol class="entries">
                  {view.overridden.map((one) => (
                    <li key={`${one.item}${one.path}`}>
                      <Link class="code" to={to("matrix", "", { keys: `${one.item}${one.path}` || "*", all: "1" })}>
                        <Text text={`${one.item}${one.path}` || "/"} lines={false} />
                      </Link>{" "}
                      <span class="quiet">{T.overriddenCount(one.losers, one.subjects, T.subjectWords(known, one.subjects))}</span>
                    </li>
                  ))}
                </ol>
              )}
            </section>
          </div>
        )}
        <Commits view={slow.value} busy={slow.busy} />
      </div>
    </>
  );
}

function Tile(props: { to: ReturnType<typeof to>; number: number | null; text: string; more: string }): JSX.Element {
  return (
    <Link class="tile" to={props.to}>
      <span class="tile-number">
        {props.number !== null && <b>{T.number(props.number)} </b>}
        {props.text}
      </span>
      <span class="quiet">{props.more}</span>
    </Link>
  );
}

function Commits({ view, busy }: { view: Overview | undefined; busy: boolean }): JSX.Element | null {
  if (view === undefined) return busy ? <Loading label={T.loadingCommits} /> : null;
  if (view.commits === null) return null;
  return (
    <section>
      <h2>{T.commitsHeading}</h2>
      {view.commits.length === 0 ? (
        <p>{T.noCommits}</p>
      ) : (
        <ul class="entries">
          {view.commits.map((commit) => {
            const tree = !/^[0-9a-f]{7,64}$/.test(commit.commit);
            return (
              <li key={commit.commit}>
                <Link to={{ ...to("compare"), query: tree ? {} : { from: `${commit.commit}~1`, to: commit.commit } }} class="code">
                  {tree ? T.workingTree : commit.commit.slice(0, 8)}
                </Link>{" "}
                <Text text={commit.subject ?? ""} lines={false} />{" "}
                <span class="quiet">
                  <Text text={commit.author ?? ""} lines={false} /> {T.date(commit.date)} {commit.changes !== undefined && T.changes(commit.changes)}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

export function ProjectsPage(): JSX.Element {
  const all = projects.value;
  // With one project there is nothing to choose.
  useEffect(() => {
    if (all?.length === 1 && here.value.page === "projects") replace(address("overview", all[0]!.name));
  }, [all]);
  return (
    <>
      <Heading title={T.projects} />
      {all === undefined && <Loading label={T.loadingProject} />}
      {all?.length === 0 && <Empty>{T.noProjects}</Empty>}
      <ul class="cards">
        {all?.map((one) => (
          <li key={one.name}>
            <Link class="card" to={address("overview", one.name)}>
              <span class="card-name">
                <Text text={one.name} lines={false} />
              </span>
              <span class="quiet">strata {one.verb}</span>
              {one.error ? (
                <span class="warn">
                  {one.error.file !== null && `${escaped(placeText(one.error))}: `}
                  <Text text={one.error.message} lines={false} />
                </span>
              ) : (
                <>
                  {one.subjects !== null && <span>{T.countWords(one.subjects, T.subjectWords(one, one.subjects))}</span>}
                  {one.files !== null && <span>{T.countWords(one.files, T.filesOf(one.files))}</span>}
                  {one.errors !== null && <span>{T.summary(one.errors, one.warnings ?? 0, 0)}</span>}
                </>
              )}
              {one.revision !== null && <span class="quiet">{T.revisionWith(one.revision.slice(0, 8), one.changed_files ?? 0)}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
