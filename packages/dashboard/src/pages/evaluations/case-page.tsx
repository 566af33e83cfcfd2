// One case: what it came to and why, then question, answer and checks of a run, its runs, its history. ← and → lead through the cases that
// the table shows, and keep the tab.
import { useLocation, useRoute } from "preact-iso";
import { useMemo } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { EvaluationCase } from "../../api/gen/schema.ts";
import { cost, count, percent } from "../../components/format.ts";
import { Interval } from "../../components/interval.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { moreOf, type MoreOfCase } from "../../api/more.ts";
import { source } from "../../api/source.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { VerdictMark } from "../../components/status.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useKeys } from "../../state/keys.ts";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { CaseHistory } from "./case-history.tsx";
import { CaseRuns } from "./case-runs.tsx";
import { viewOf } from "./case-view.ts";
import { Checks } from "./checks.tsx";
import { caseHref, evaluationHref } from "./evaluation-href.ts";
import { CaseComparisonView } from "./case-comparison.tsx";
import { CaseStatistics } from "./case-statistics.tsx";
import { evaluationState, type CaseCell } from "./evaluation-state.ts";
import { viewQuery } from "./view-query.ts";
import "./evaluations.css";

const TABS = ["story", "history", "comparison"] as const;

export function CasePage() {
  const { params } = useRoute();
  const id = params["id"] ?? "";
  const caseId = params["case"] ?? "";
  const query = useQuery();
  const { route } = useLocation();
  const state = evaluationState(id);
  const cells = state.cells.value;
  const agents = state.evaluation.value?.agents ?? [];
  const { sequence } = useMemo(() => viewOf(cells.values(), agents, query), [cells, agents, query.href({})]);
  const at = sequence.indexOf(caseId);
  const cell = cells.get(caseId);
  // A case that settles again, in an evaluation that goes on, is read again.
  const version = cell === undefined ? "" : `${cell.runs} ${cell.verdict} ${cell.change}`;
  const loaded = useLoad(`case ${id} ${caseId} ${version}`, async (signal) => {
    const { items } = await hub.cases(id, { case: caseId, limit: 1 }, signal);
    return items[0];
  });
  const hrefAt = (index: number): string | undefined => {
    const next = sequence[index];
    return next === undefined ? undefined : caseHref(id, next, viewQuery(query, ["tab"]));
  };
  const go = (href: string | undefined): void => void (href !== undefined && route(href));
  const back = evaluationHref(id, { ...viewQuery(query), from: undefined, tab: query.get("from") });
  const next = (): void => go(hrefAt(at + 1));
  const previous = (): void => go(at > 0 ? hrefAt(at - 1) : undefined);
  useKeys([
    { key: "j", does: texts.evaluations.nextCase, act: next },
    { key: "k", does: texts.evaluations.previousCase, act: previous },
    { key: "ArrowRight", does: texts.evaluations.nextCase, act: next },
    {
      key: "ArrowLeft",
      does: texts.evaluations.previousCase,
      act: previous,
    },
    { key: "Escape", does: texts.keys.back, act: () => route(back) },
  ]);
  usePageTitle(cell?.name ?? texts.evaluations.title);
  const found = loaded.value?.id === caseId ? loaded.value : undefined;
  const more = found && moreOf("case", found);
  const tab = TABS.find((name) => name === query.get("tab")) ?? "story";
  return (
    <>
      <nav class="case-nav" aria-label={texts.evaluations.caseNav}>
        <a href={back}>{state.evaluation.value?.name ?? texts.evaluations.title}</a>
        <span class="quiet case-place">
          {at >= 0 && texts.evaluations.place(count(at + 1), count(sequence.length))}
        </span>
        <Step
          href={at > 0 ? hrefAt(at - 1) : undefined}
          label={texts.evaluations.previousCase}
          path="M9 2 3.5 7 9 12"
        />
        <Step
          href={at >= 0 ? hrefAt(at + 1) : undefined}
          label={texts.evaluations.nextCase}
          path="m5 2 5.5 5L5 12"
        />
      </nav>
      {loaded.error !== undefined && <Failed error={loaded.error} retry={loaded.reload} />}
      {found === undefined &&
        loaded.error === undefined &&
        (loaded.loading ? <Loading /> : <Missing cell={cell} />)}
      {found !== undefined && (
        <>
          <CaseHead found={found} />
          {more !== undefined && <MoreOfCaseHead more={more} />}
          <Tabs
            label={texts.evaluations.views}
            query={query}
            current={tab}
            tabs={[
              { id: "story", title: texts.evaluations.story, count: found.runs },
              ...(source().isHub ? [{ id: "history", title: texts.evaluations.history }] : []),
              ...(found.comparison === null
                ? []
                : [{ id: "comparison", title: texts.evaluations.comparison }]),
            ]}
          />
          {tab === "story" && <CaseRuns found={found} query={query} />}
          {tab === "history" && <CaseHistory found={found} />}
          {tab === "comparison" && <CaseComparisonView found={found} />}
        </>
      )}
    </>
  );
}

/** Shows a case without results; a report also has the cases that were not run. */
function Missing({ cell }: { cell: CaseCell | undefined }) {
  if (cell?.verdict !== "not_run") return <p class="quiet">{texts.evaluations.noCase}</p>;
  return (
    <div class="page-head">
      <h1 dir="auto">{cell.name}</h1>
      <VerdictMark verdict={cell.verdict} />
      <span class="quiet">{cell.agent}</span>
    </div>
  );
}

/** Shows what a report says of the test, and of its runs together. */
function MoreOfCaseHead({ more }: { more: MoreOfCase }) {
  const { description, parameters, cut } = more;
  return (
    <div class="case-more">
      {description !== undefined && <p class="said">{description}</p>}
      {cut === true && <p class="notice warn">{texts.evaluations.cut}</p>}
      {parameters !== undefined && (
        <details>
          <summary>{texts.evaluations.parameters}</summary>
          <JsonView value={parameters} />
        </details>
      )}
      <CaseStatistics more={more} />
    </div>
  );
}

function Step({ href, label, path }: { href: string | undefined; label: string; path: string }) {
  const sign = (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
      <path d={path} fill="none" stroke="currentColor" stroke-width="1.8" />
    </svg>
  );
  return href === undefined ? (
    <span class="button plain" aria-hidden="true">
      {sign}
    </span>
  ) : (
    <a class="button" href={href} aria-label={label} title={label}>
      {sign}
    </a>
  );
}

function CaseHead({ found }: { found: EvaluationCase }) {
  const {
    name,
    verdict,
    agent,
    suite,
    test_id,
    pass_rate,
    flakiness,
    runs,
    file,
    line,
    tags,
    reason,
    checks,
  } = found;
  return (
    <header class="case-head">
      <div class="page-head">
        <h1 dir="auto">{name}</h1>
        <VerdictMark verdict={verdict} />
      </div>
      <p class="head-line quiet">
        <span>{agent}</span>
        <span>
          {suite} / {test_id}
        </span>
        <code>{`${file}:${line}`}</code>
        {tags.map((tag) => (
          <span key={tag} class="tag">
            {tag}
          </span>
        ))}
      </p>
      <p class="head-line">
        {pass_rate !== null && runs > 1 && (
          <span class={`side-of-case tone-${verdict}`}>
            <strong>{percent(pass_rate.value, 1)}</strong> <Interval {...pass_rate} />
            <span class="quiet">
              {texts.interval(
                Math.round(pass_rate.value * 100),
                Math.round(pass_rate.low * 100),
                Math.round(pass_rate.high * 100),
              )}
            </span>
          </span>
        )}
        {flakiness !== null && flakiness > 0 && (
          <span title={texts.evaluations.flakyWhy}>{texts.evaluations.flaky(percent(flakiness, 1))}</span>
        )}
        <span class="quiet">{texts.evaluations.runs(count(runs))}</span>
        {found.cost_usd !== null && <span class="quiet">{cost(found.cost_usd)}</span>}
      </p>
      {reason !== null && <p class="notice said">{reason}</p>}
      {checks.length > 0 && <Checks checks={checks} />}
    </header>
  );
}
