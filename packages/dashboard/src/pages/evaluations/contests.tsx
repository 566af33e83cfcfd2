// Tests with several agents against each other: who did best, by which measure.
import type { Contest } from "../../api/more.ts";
import { cost, count, duration } from "../../components/format.ts";
import { Table } from "../../components/table.tsx";
import { texts } from "../../texts.ts";

type Entrant = Contest["agents"][number];

const SHOWN: Record<Contest["metrics"][number], (agent: Entrant) => string> = {
  quality: ({ quality }) => (quality === null ? "–" : quality.toFixed(1)),
  speed: ({ speed_ms }) => (speed_ms === null ? "–" : duration(speed_ms)),
  cost: ({ cost_usd }) => (cost_usd === null ? "–" : cost(cost_usd)),
};

export function Contests({ contests }: { contests: readonly Contest[] }) {
  const wins = new Map<string, number>();
  for (const { winner } of contests) if (winner !== null) wins.set(winner, (wins.get(winner) ?? 0) + 1);
  const won = [...wins]
    .sort(([, a], [, b]) => b - a)
    .map(([agent, times]) => texts.contests.won(agent, count(times)));
  return (
    <div class="contests">
      <p class="quiet">
        {texts.contests.count(count(contests.length))} {won.join(", ")}
      </p>
      {contests.map((contest, index) => (
        <One key={index} contest={contest} />
      ))}
    </div>
  );
}

function One({ contest: { suite, test_id, metrics, agents, winner, reason } }: { contest: Contest }) {
  return (
    <section class="contest">
      <h2 dir="auto">
        {test_id} <span class="quiet">{suite}</span>
      </h2>
      <p>
        {winner === null ? (
          texts.contests.none
        ) : (
          <>
            <strong>{winner}</strong> {texts.contests.best}
          </>
        )}
        {`: ${reason}`}
      </p>
      <Table
        label={texts.contests.agents(test_id)}
        columns={[
          texts.contests.agent,
          ...metrics.map((metric) => [texts.contests.metrics[metric], "number"] as const),
        ]}
      >
        {agents.map((agent) => (
          <tr key={agent.agent}>
            <td>
              {agent.agent} {agent.agent === winner && <span class="tag">{texts.contests.winner}</span>}
            </td>
            {metrics.map((metric) => (
              <td key={metric} class="number">
                {SHOWN[metric](agent)}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </section>
  );
}
