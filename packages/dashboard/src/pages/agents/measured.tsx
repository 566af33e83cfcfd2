// What an agent's runs have shown: moving averages of success, latency, cost, and of what tests found.
import type { RegisteredAgent } from "../../api/gen/schema.ts";
import { cost, count, duration, percent } from "../../components/format.ts";
import { texts } from "../../texts.ts";

type MeasuredAnswers = RegisteredAgent["health"]["measured"];

export function Measured({ measured }: { measured: MeasuredAnswers }) {
  const words = texts.agents.measured;
  const figures = [
    [words.success, rate(measured.success_rate), words.successWhy],
    [words.quality, rate(measured.quality), words.qualityWhy(count(measured.judged))],
    [words.latency, measured.latency_ms === null ? "–" : duration(measured.latency_ms), words.latencyWhy],
    [words.cost, measured.cost_usd === null ? "–" : cost(measured.cost_usd), words.costWhy],
    [words.runs, count(measured.runs), words.runsWhy(count(measured.completed))],
  ] as const;
  return (
    <dl class="agent-figures">
      {figures.map(([name, value, why]) => (
        <div key={name} title={why}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function rate(share: number | null): string {
  return share === null ? "–" : percent(share, 1);
}
