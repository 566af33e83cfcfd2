// Why this agent: the score of each candidate with its parts, and the reason for everybody who was left out.
import type { RouteDecision } from "../../api/gen/schema.ts";
import { texts } from "../../texts.ts";

/** Newer hubs also say it in words. */
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
        <div class="table-scroll" role="region" aria-label={texts.goals.candidates} tabIndex={0}>
          <table class="candidates">
            <thead>
              <tr>
                <th>{texts.goals.candidate}</th>
                <th class="number">{texts.goals.score}</th>
                {parts.map((part) => (
                  <th key={part} class="number">
                    {part}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
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
            </tbody>
          </table>
        </div>
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
