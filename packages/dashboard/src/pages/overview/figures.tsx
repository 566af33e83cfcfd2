// The few numbers that say how the hub is doing.
import { useRef } from "preact/hooks";
import { pagePath } from "../../api/address.ts";
import type { RunsSummary } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { bytes, cost, count, duration } from "../../components/format.ts";
import { metric } from "../../state/metrics.ts";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";

export function Figures({ summary }: { summary: RunsSummary }) {
  const metrics = useLoad(`metrics ${summary.since}`, (signal) => hub.metrics(signal));
  const kept = useRef<string | undefined>(undefined);
  kept.current = metrics.value ?? kept.current;
  const queuedSeconds = metric(kept.current, "proctor_waiting_age_seconds") ?? 0;
  const free = metric(kept.current, "proctor_disk_free_bytes", ["holds", "data"]);
  const { statuses, duration_ms: took, evaluations } = summary;
  const { pass_rate: rate } = evaluations;
  const figures: { name: string; value: string; href?: string; strong?: boolean }[] = [
    {
      name: texts.overview.running,
      value: count(statuses.running),
      href: pagePath("runs", { status: "running" }),
    },
    {
      name: texts.overview.waiting,
      value: count(statuses.waiting),
      href: pagePath("inbox"),
      strong: statuses.waiting > 0,
    },
    {
      name: texts.overview.queued,
      value: count(statuses.queued),
      href: pagePath("runs", { status: "queued" }),
    },
    ...(queuedSeconds > 0
      ? [{ name: texts.overview.oldestQueued, value: duration(queuedSeconds * 1000) }]
      : []),
    { name: texts.overview.runs, value: count(summary.runs), href: pagePath("runs") },
    {
      name: texts.overview.passRate,
      value: rate === null ? texts.overview.noCases : `${Math.round(rate * 1000) / 10} %`,
    },
    { name: texts.overview.median, value: took.p50 === null ? "–" : duration(took.p50) },
    { name: texts.overview.slowest, value: took.p95 === null ? "–" : duration(took.p95) },
    { name: texts.overview.cost, value: cost(summary.cost_usd) },
    ...(free === undefined ? [] : [{ name: texts.overview.diskFree, value: bytes(free) }]),
  ];
  return (
    <dl class="figures">
      {figures.map(({ name, value, href, strong }) => (
        <div key={name} class={strong === true ? "strong" : ""}>
          <dt>{name}</dt>
          <dd>{href === undefined ? value : <a href={href}>{value}</a>}</dd>
        </div>
      ))}
    </dl>
  );
}
