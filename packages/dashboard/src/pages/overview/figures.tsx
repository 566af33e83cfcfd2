// The few numbers that say how it goes.
import { pagePath } from "../../api/address.ts";
import type { RunsSummary } from "../../api/gen/schema.ts";
import { cost, count, duration } from "../../components/format.ts";
import { texts } from "../../texts.ts";

export function Figures({ summary }: { summary: RunsSummary }) {
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
    { name: texts.overview.runs, value: count(summary.runs), href: pagePath("runs") },
    {
      name: texts.overview.passRate,
      value: rate === null ? texts.overview.noCases : `${Math.round(rate * 1000) / 10} %`,
    },
    { name: texts.overview.median, value: took.p50 === null ? "–" : duration(took.p50) },
    { name: texts.overview.slowest, value: took.p95 === null ? "–" : duration(took.p95) },
    { name: texts.overview.cost, value: cost(summary.cost_usd) },
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
