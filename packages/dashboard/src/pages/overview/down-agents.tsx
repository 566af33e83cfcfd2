// Agents that are offline or suspected to be.
import { pagePath } from "../../api/address.ts";
import { hub } from "../../api/hub.ts";
import { HealthMark } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { useAgentChanges } from "../agents/use-agent-changes.ts";

/** Number of agents that are shown at most; the list of agents has all. */
const MOST = 20;

export function DownAgents() {
  const agents = useLoad("down", (signal) =>
    hub.registered({ state: ["offline", "suspect"], limit: MOST }, signal),
  );
  useAgentChanges(agents.reload);
  const down = agents.value?.items ?? [];
  if (down.length === 0) return null;
  return (
    <section>
      <div class="section-head">
        <h2>{texts.overview.down}</h2>
        <a href={pagePath("agents")}>{texts.overview.agents}</a>
      </div>
      <table class="short-list">
        <tbody>
          {down.map(({ name, health }) => (
            <tr key={name}>
              <td class="tight">
                <HealthMark state={health.state} />
              </td>
              <td class="fill">
                {name}
                {health.trouble !== null && <div class="quiet said">{health.trouble}</div>}
              </td>
              <td class="tight quiet">
                {texts.overview.since} <Time at={health.since} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
