// Why this agent: the score of each candidate with its parts, and the reason for each one that was left out.
import type { RouteDecision } from "../../api/gen/schema.ts";
import { Table } from "../../components/table.tsx";
import { texts } from "../../texts.ts";

/** A decision; newer hubs also give the reason in words. */
type Route = RouteDecision & { reason?: unknown };

export function RouteView({ route }: { route: Route }) {
  const { agent, by, candidates, rejected, considered, refused, reason } = route;
  const parts = [...new Set(candidates.flatMap((candidate) => Object.keys(candidate.parts)))];
  return (
    <details class="route">
      <summary>
        {texts.goals.by[by]}
        {typeof reason === "string" && <span class="quiet"> · {reason}</span>}
      </summary>
      {candidates.length > 0 && (
        <Table
          label={texts.goals.candidates}
          kind="candidates"
          columns={[
            texts.goals.candidate,
            ...[texts.goals.score, ...parts].map((name) => [name, "number"] as const),
          ]}
        >
          {candidates.map((candidate) => (
            <tr key={candidate.agent} data-current={candidate.agent === agent || undefined}>
              <td>{candidate.agent}</td>
              <td class="number">{candidate.score.toFixed(2)}</td>
              {parts.map((part) => (
                <td key={part} class="number quiet">
                  {candidate.parts[part]?.toFixed(2) ?? ""}
                </td>
              ))}
            </tr>
          ))}
        </Table>
      )}
      {considered > candidates.length && (
        <p class="quiet">{texts.goals.moreCandidates(considered - candidates.length)}</p>
      )}
      {rejected.length > 0 && (
        <>
          <h3>{texts.goals.leftOut}</h3>
          <dl class="facts">
            {rejected.map((one) => (
              <>
                <dt>{one.agent}</dt>
                <dd class="said">{one.reason}</dd>
              </>
            ))}
          </dl>
        </>
      )}
      {refused > rejected.length && (
        <p class="quiet">{texts.goals.moreCandidates(refused - rejected.length)}</p>
      )}
    </details>
  );
}
