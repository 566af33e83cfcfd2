// The reference of the API, from the hub's own OpenAPI document: to search, to read, and to try on this hub.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { apiUrl } from "../../api/address.ts";
import { hub } from "../../api/hub.ts";
import { Command } from "../../components/command.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { useKeys } from "../../state/keys.ts";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery, type QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { findOperations } from "./find-operations.ts";
import { OperationList } from "./operation-list.tsx";
import { OperationView } from "./operation-view.tsx";
import { toReference, type Group, type Reference } from "./reference.ts";
import "./docs.css";

export function DocsPage() {
  const { value, error, reload } = useLoad("openapi", hub.openapi);
  if (value === undefined) {
    return error === undefined ? <Loading /> : <Failed error={error} retry={reload} />;
  }
  return <Docs document={value} />;
}

function Docs({ document }: { document: unknown }) {
  const query = useQuery();
  const search = useRef<HTMLInputElement>(null);
  const reference = useMemo(() => toReference(document), [document]);
  const groups = findOperations(reference.groups, query.get("q"));
  const shown = groups.flatMap(({ operations }) => operations);
  const all = reference.groups.flatMap(({ operations }) => operations);
  const current = all.find(({ id }) => id === query.get("op"));
  usePageTitle(current?.summary ?? texts.docs.title);

  function step(by: number): void {
    const at = shown.findIndex(({ id }) => id === current?.id);
    const next = shown[at === -1 ? 0 : at + by];
    if (next !== undefined) query.set({ op: next.id });
  }
  useKeys([
    { key: "/", does: texts.keys.search, act: () => search.current?.focus() },
    { key: "j", does: texts.docs.nextOperation, act: () => step(1) },
    { key: "k", does: texts.docs.previousOperation, act: () => step(-1) },
  ]);
  useEffect(() => {
    // Links to the reference used to name an operation after the `#`.
    const named = all.find(({ id }) => `#${id}` === location.hash);
    if (named !== undefined && current === undefined) query.set({ op: named.id }, "replace");
  }, []);
  useEffect(() => scrollTo(0, 0), [current?.id]);

  return (
    <div class={current ? "docs has-operation" : "docs"}>
      <OperationList groups={groups} current={current?.id ?? ""} query={query} search={search} />
      <div class="docs-content">
        {current ? (
          <>
            <a class="docs-back" href={query.href({ op: undefined })}>
              ‹ {texts.docs.all}
            </a>
            <OperationView key={current.id} operation={current} schemas={reference.schemas} />
          </>
        ) : (
          <Welcome reference={reference} query={query} />
        )}
      </div>
    </div>
  );
}

function Welcome({ reference, query }: { reference: Reference; query: QueryState }) {
  return (
    <article class="stack docs-welcome">
      <header>
        <h1>{texts.docs.title}</h1>
        <p class="quiet">
          {reference.summary} {reference.version}
        </p>
      </header>
      <Markdown text={reference.description} />
      <p>
        {texts.docs.forPrograms} <a href={apiUrl("openapi.json").pathname}>openapi.json</a> (OpenAPI 3.1).{" "}
        {texts.docs.commands}
      </p>
      <Command>{`export PROCTOR_URL=${new URL(document.baseURI).href.replace(/\/$/, "")}`}</Command>
      <dl class="docs-groups">
        {reference.groups.map((group) => (
          <GroupLine key={group.name} group={group} query={query} />
        ))}
      </dl>
    </article>
  );
}

function GroupLine({ group, query }: { group: Group; query: QueryState }) {
  const first = group.operations[0];
  return (
    <div>
      <dt>
        <a href={query.href({ op: first?.id })}>{group.name}</a>
      </dt>
      <dd>
        <Markdown text={group.description} />
      </dd>
    </div>
  );
}
