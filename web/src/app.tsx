// The pages of the explorer.
import { effect } from "@preact/signals";
import { render } from "preact";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { openSession, overview, projects as askProjects, Refused } from "./api.ts";
import { OverviewPage, ProjectsPage } from "./overview/page.tsx";
import { Header, StatusLine } from "./parts/header.tsx";
import { layerNames } from "./parts/layers.ts";
import { askNames } from "./parts/names.ts";
import { Heading, Unknown } from "./parts/page.tsx";
import { Loading, RefusedText } from "./parts/show.tsx";
import { ResultPage } from "./result/page.tsx";
import { fetchPages, pages, pagesFailed } from "./lazy.ts";
import { connect, here, projects } from "./state.ts";
import { SubjectsPage } from "./subjects/page.tsx";
import { T } from "./texts.ts";
import { useAnswer } from "./use.ts";

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

/** Where the service wants to know who asks: a token becomes a cookie. */
function SignIn(): JSX.Element {
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

function App(): JSX.Element {
  const { project, page, query } = here.value;
  const answer = useAnswer("projects", (signal) => askProjects(signal));
  useEffect(() => {
    if (answer.value) projects.value = answer.value.projects;
  }, [answer.value]);
  // The names of layers, for their colours.
  const layers = useAnswer(project === "" ? undefined : JSON.stringify([project, query.at, "overview"]), (signal) => overview(project, query.at, false, signal));
  useEffect(() => {
    if (layers.value) layerNames.value = layers.value.layers.map((layer) => layer.name);
  }, [layers.value]);
  const unknown = projects.value !== undefined && project !== "" && !projects.value.some((one) => one.name === project);
  return (
    <>
      <Header />
      <main id="main" tabIndex={-1} class={`page page-${page}`}>
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
    </>
  );
}

effect(askNames);
if (["projects", "overview", "subjects", "subject"].includes(here.value.page)) setTimeout(fetchPages, 500);
else fetchPages();
connect();
const root = document.getElementById("app")!;
root.replaceChildren();
render(<App />, root);
