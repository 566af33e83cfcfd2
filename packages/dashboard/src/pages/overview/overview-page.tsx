// What goes on: what runs, what waits for a person, how much and how well, and what is down.
import { useEffect, useMemo } from "preact/hooks";
import { pagePath } from "../../api/address.ts";
import type { RunStatus } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { generation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import { FirstSteps } from "../../components/first-steps.tsx";
import { Failed, Loading } from "../../components/notice.tsx";
import { soonAfterEvents } from "../../state/soon-after-events.ts";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { waiting } from "../../state/waiting.ts";
import { texts } from "../../texts.ts";
import { openRunList } from "../runs/run-list.ts";
import { Charts } from "./charts.tsx";
import { DownAgents } from "./down-agents.tsx";
import { Figures } from "./figures.tsx";
import { ShortList } from "./short-list.tsx";
import { WaitingList } from "./waiting-list.tsx";
import "./overview.css";

const RANGES = { "1h": 3_600_000, "24h": 86_400_000, "7d": 7 * 86_400_000 } as const;
const LIVE: readonly RunStatus[] = ["running", "waiting", "paused", "queued"];
const FAILED: readonly RunStatus[] = ["failed", "timeout", "rejected"];
const SHOWN = 20;
/** Milliseconds after which the figures are read again when a run began or ended, however many did. */
const PAUSE_MS = 1500;

export function OverviewPage() {
  usePageTitle(texts.nav.overview);
  const query = useQuery();
  const range = query.get("range") in RANGES ? (query.get("range") as keyof typeof RANGES) : "1h";
  const summary = useLoad(`summary ${range}`, (signal) =>
    hub.summary(new Date(Date.now() - RANGES[range]).toISOString(), signal),
  );
  useEffect(() => soonAfterEvents(summary.reload, ({ type }) => type.startsWith("run."), PAUSE_MS), []);
  const live = useRunList(LIVE);
  const failed = useRunList(FAILED);
  if (summary.error !== undefined && summary.value === undefined) {
    return <Failed error={summary.error} retry={summary.reload} />;
  }
  if (summary.value === undefined) return <Loading />;
  const all = Object.values(summary.value.statuses).reduce((sum, some) => sum + some, 0);
  if (all === 0) {
    return (
      <>
        <h1 class="hidden-text">{texts.nav.overview}</h1>
        <FirstSteps />
      </>
    );
  }
  return (
    <div class="overview">
      <div class="page-head">
        <h1>{texts.nav.overview}</h1>
        <nav class="actions" aria-label={texts.overview.range}>
          {Object.entries(texts.overview.ranges).map(([name, title]) => (
            <a
              key={name}
              class="chip"
              role="button"
              aria-pressed={name === range}
              href={query.href({ range: name === "1h" ? undefined : name })}
            >
              {title}
            </a>
          ))}
        </nav>
      </div>
      <Figures summary={summary.value} />
      {waiting.value.length > 0 && <WaitingList />}
      <ShortList
        title={texts.overview.now}
        empty={texts.overview.nothingRuns}
        runs={live.slice(0, SHOWN)}
        href={pagePath("runs", { status: LIVE })}
      />
      <DownAgents />
      <Charts summary={summary.value} rangeMs={RANGES[range]} />
      <ShortList
        title={texts.overview.failures}
        empty={texts.overview.noFailures}
        runs={failed.slice(0, 8)}
        href={pagePath("runs", { status: FAILED })}
      />
    </div>
  );
}

function useRunList(status: readonly RunStatus[]) {
  const list = useMemo(() => openRunList({ status }, SHOWN), [generation.value, token.value]);
  useEffect(() => () => list.close(), [list]);
  return list.state.value.items;
}
