// The states that an agent has had, as a band over time and as a list, the newest first.
import { hub } from "../../api/hub.ts";
import type { HealthEntry, RegisteredAgent } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { duration } from "../../components/format.ts";
import { NotLoaded } from "../../components/notice.tsx";
import { HealthMark } from "../../components/status.tsx";
import { Time } from "../../components/time.tsx";
import { now } from "../../state/now.ts";
import { useLoad } from "../../state/use-load.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";

const PAGE = 100;

export function HealthHistoryView({ agent }: { agent: RegisteredAgent }) {
  const query = useQuery();
  const limit = Math.min(1000, PAGE * Math.max(1, Number(query.get("entries")) || 1));
  const history = useLoad(`health ${agent.name} ${agent.health.since} ${limit}`, (signal) =>
    hub.healthHistory(agent.name, { limit }, signal),
  );
  if (history.value === undefined) return <NotLoaded of={history} />;
  const { items, next_cursor } = history.value;
  if (items.length === 0) return <p class="quiet">{texts.agents.noHistory}</p>;
  return (
    <section>
      <Band entries={items} />
      <ol class="health-entries">
        {items.map(({ at, state, reason }, index) => (
          <li key={index}>
            <HealthMark state={state} />
            <span class="said">{reason}</span>
            <span class="quiet">
              <Time at={at} />
            </span>
          </li>
        ))}
      </ol>
      {next_cursor !== null && limit < 1000 && (
        <Button onPress={() => query.set({ entries: String(limit / PAGE + 1) }, "replace")}>
          {texts.more}
        </Button>
      )}
    </section>
  );
}

function Band({ entries }: { entries: readonly HealthEntry[] }) {
  const oldest = Date.parse(entries.at(-1)?.at ?? "");
  const whole = now.value - oldest;
  if (!(whole > 0)) return null;
  const spans = entries.map(({ at, state }, index) => {
    const end = index === 0 ? now.value : Date.parse(entries[index - 1]?.at ?? "");
    return { state, share: Math.max(end - Date.parse(at), 0) / whole };
  });
  return (
    <div class="health-band" role="img" aria-label={texts.agents.band(duration(whole))}>
      {spans.toReversed().map(({ state, share }, index) => (
        <span key={index} class={`health-${state}`} style={{ width: `${share * 100}%` }} title={state} />
      ))}
    </div>
  );
}
