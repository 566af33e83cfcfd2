// When things happened: a waterfall, compact or full, and a flame of time or cost.
import { useEffect, useMemo } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { count } from "../../components/format.ts";
import { useLoad } from "../../state/use-load.ts";
import { now } from "../../state/now.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { FlameView } from "./flame-view.tsx";
import { MOST_READ, ReadMore } from "./read-more.tsx";
import { isOver } from "./run-actions.tsx";
import type { RunTabProps } from "./run-page.tsx";
import { SPAN_KINDS, spansOf, type Span } from "./spans.ts";
import { Waterfall } from "./waterfall.tsx";

const VIEWS = ["full", "compact", "time", "cost"] as const;
const MOST_CHILDREN = 200;

export function TimelineTab({ run, log }: RunTabProps) {
  const query = useQuery();
  useEffect(() => void log.readAll(MOST_READ), [log]);
  const children = useLoad(`children ${run.id} ${run.ended_at ?? ""}`, (signal) =>
    hub.runs({ parent: run.id, limit: MOST_CHILDREN, order: "oldest" }, signal),
  );
  const nowMs = isOver(run) ? 0 : now.value;
  const spans = useMemo(() => {
    const events = [...log.events.value.values()].sort((a, b) => a.sequence - b.sequence);
    return spansOf(run, events, children.value?.items ?? [], nowMs);
  }, [run, log.events.value, children.value, nowMs]);
  const view = VIEWS.find((name) => name === query.get("view")) ?? "full";
  return (
    <div class="timeline">
      <div class="filter-row">
        {VIEWS.map((name) => (
          <a
            key={name}
            class="chip"
            role="button"
            aria-pressed={name === view}
            href={query.href({ view: name === "full" ? undefined : name })}
          >
            {texts.timeline.views[name]}
          </a>
        ))}
        <span class="quiet">{texts.timeline.spans(count(spans.length))}</span>
        <ul class="legend">
          {SPAN_KINDS.filter((kind) => spans.some((span) => span.kind === kind)).map((kind) => (
            <li key={kind} data-kind={kind}>
              {texts.timeline.kinds[kind]}
            </li>
          ))}
        </ul>
      </div>
      <ReadMore log={log} />
      {view === "time" || view === "cost" ? (
        <FlameView spans={spans} by={view} />
      ) : (
        <Waterfall spans={view === "full" ? spans : compact(spans)} />
      )}
    </div>
  );
}

/** Keeps the spans that took long, cost something, failed, or hold others. */
function compact(spans: readonly Span[]): Span[] {
  const whole = (spans[0]?.endMs ?? 0) - (spans[0]?.startMs ?? 0);
  return spans.filter(
    ({ kind, startMs, endMs, failed, costUsd }) =>
      kind === "run" || kind === "step" || failed || costUsd > 0 || endMs - startMs > whole / 50,
  );
}
