// SPDX-License-Identifier: Apache-2.0
// The pages of the explorer.
import { effect } from "@preact/signals";
import { render } from "preact";
import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { expectLeaf, forget, projects as askProjects, Refused } from "./api.ts";
import { OverviewPage, ProjectsPage } from "./overview/page.tsx";
import { Header, StatusLine } from "./parts/header.tsx";
import { focusFirstGrid, keepFocus } from "./parts/keys.ts";
import { askNames } from "./parts/names.ts";
import { Heading, Unknown } from "./parts/page.tsx";
import { Loading, RefusedText } from "./parts/show.tsx";
import { SignIn } from "./parts/sign-in.tsx";
import { ResultPage } from "./result/page.tsx";
import { fetchPages, pages, pagesFailed } from "./lazy.ts";
import { connect, counted, here, projects, signedOut } from "./state.ts";
import { SubjectsPage } from "./subjects/page.tsx";
import { T } from "./texts.ts";
import { askAgain, useAnswer } from "./use.ts";

function Page(): JSX.Element {
  const { page, project, name } = here.value;
  switch (page) {
    case "projects":
      return <ProjectsPage />;
    case "overview":
      return <OverviewPage key={project} />;
    case "subjects":
      return <SubjectsPage key={project} />;
    case "subject":
      return <ResultPage key={`${project}/${name}`} />;
    default:
      return <OtherPage />;
  }
}

function OtherPage(): JSX.Element {
  const { page, project, name } = here.value;
  const found = pages.value;
  useEffect(() => {
    if (!found) fetchPages();
  }, []);
  if (!found) return <>{pagesFailed.value ? <RefusedText error={new Refused(0, "", [])} /> : <Loading label={T.loadingPage} />}</>;
  switch (page) {
    case "file":
      return <found.FilePage key={`${project}/${name}`} />;
    case "what-if":
      return <found.WhatIfPage key={project} />;
    case "matrix":
      return <found.MatrixPage key={project} />;
    case "compare":
      return <found.ComparePage key={project} />;
    case "findings":
      return <found.FindingsPage key={project} />;
    case "search":
      return <found.SearchPage key={project} />;
    default:
      return <found.FilesPage key={project} />;
  }
}

/** Who comes to a page goes on in its list with the first key that moves there. */
function toGrid(event: KeyboardEvent): void {
  if (event.target !== event.currentTarget || !/^(Arrow|Home|End|Page)/.test(event.key)) return;
  if (focusFirstGrid()) event.preventDefault();
}

function App(): JSX.Element {
  const { project, page } = here.value;
  const answer = useAnswer(`projects ${counted.value}`, (signal) => askProjects(signal));
  useEffect(() => {
    if (answer.value) projects.value = answer.value.projects;
  }, [answer.value]);
  const known = projects.value !== undefined;
  const wasSignedOut = useRef(false);
  useEffect(() => {
    // What was refused meanwhile is asked for again.
    if (wasSignedOut.current && !signedOut.value) {
      forget();
      askAgain();
    }
    wasSignedOut.current = signedOut.value;
  }, [signedOut.value]);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) keepFocus();
    if (known) first.current = false;
  }, [known, here.value.page, project, here.value.name]);
  const unknown = projects.value !== undefined && project !== "" && !projects.value.some((one) => one.name === project);
  return (
    <>
      <Header />
      {signedOut.value && projects.value && (
        <div class="banner">
          <SignIn />
        </div>
      )}
      <main id="main" tabIndex={-1} class={`page page-${page}`} onKeyDown={toGrid}>
        {answer.error && !projects.value && (
          <>
            <Heading title="strata" />
            {answer.error.status === 401 ? <SignIn /> : <RefusedText error={answer.error} />}
          </>
        )}
        {unknown ? (
          <Unknown what={T.project} name={project} error={new Refused(404, T.noSuchProject, [])} near={projects.value!.map((one) => one.name)} page="projects" />
        ) : (
          (projects.value !== undefined || !answer.error) && <Page />
        )}
      </main>
      <StatusLine />
      {pages.value && <pages.value.CodeHelp />}
    </>
  );
}

effect(askNames);
// The service answers while the rows are drawn. Once they are, they ask themselves: of what failed they have the message.
let drawn = "";
effect(() => {
  const { page, project, name, query } = here.value;
  const before = drawn;
  drawn = page === "subject" ? JSON.stringify([project, name, query.at]) : "";
  if (drawn !== before && page === "subject" && (query.item !== undefined || query.leaf !== undefined)) expectLeaf(project, query.at, name, query.item ?? "", query.leaf ?? "");
});
if (["projects", "overview", "subjects", "subject"].includes(here.value.page)) setTimeout(fetchPages, 500);
else fetchPages();
connect();
const root = document.getElementById("app")!;
root.replaceChildren();
render(<App />, root);
