// `proctor agents show`.
import type { HealthEntry, RegisteredAgent } from "../../../core/registration.ts";
import { hubAction } from "../hub-action.ts";
import { capabilityNames, loadText, paintState, stateText } from "../../terminal/agent-state.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { field } from "../../terminal/run-summary.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine } from "../../terminal/text.ts";
import type { DocumentFlags } from "../../flags.ts";

const CHANGES = 10;

export const showAgent = hubAction(
  "read",
  async ({ platform, screen }, name: string, flags: DocumentFlags) => {
    const agent = await platform.registry.get(name);
    const { items: history } = await platform.registry.history(name, { limit: CHANGES });
    if (flags.json === true) screen.printJson({ agent, history });
    else screen.print(...renderAgent(agent, history, screen));
  },
);

function renderAgent(agent: RegisteredAgent, history: readonly HealthEntry[], { paint }: Screen): string[] {
  const { health } = agent;
  const now = Date.now();
  const since = health.since === null ? "" : paint.dim(`  since ${formatAgo(health.since, now)}`);
  return [
    `${paint.bold(agent.name)}  ${paintState(paint, health.state)(stateText(health.state))}${since}`,
    ...field("address", [oneLine(agent.address)], paint),
    ...field("kind", [`${agent.kind}, ${agent.stage}`], paint),
    ...field("version", [agent.version ?? ""], paint),
    ...field("about", [oneLine(agent.description ?? "")], paint),
    ...field("can", [oneLine(capabilityNames(agent))], paint),
    ...field(
      "labels",
      [
        Object.entries(agent.labels)
          .map(([key, value]) => `${key}=${value}`)
          .join(", "),
      ],
      paint,
    ),
    ...field("load", [loadText(health.load)], paint),
    ...field("seen", [health.seen_at === null ? "" : formatAgo(health.seen_at, now)], paint),
    ...field("trouble", [oneLine(health.trouble ?? "")], paint),
    ...field("answers", [measured(agent)], paint),
    ...field(
      "history",
      history.map(({ at, state, reason }) => `${formatAgo(at, now)}  ${state}: ${oneLine(reason)}`),
      paint,
    ),
  ];
}

function measured({ health: { measured: answers } }: RegisteredAgent): string {
  const { runs, completed, latency_ms, cost_usd, judged, quality } = answers;
  if (runs === 0) return "";
  const latency = latency_ms === null ? "" : `, ${(latency_ms / 1000).toFixed(1)} s`;
  const cost = cost_usd === null ? "" : `, $${cost_usd.toFixed(4)}`;
  const tested = quality === null ? "" : `, quality ${quality.toFixed(2)} (${judged} tested)`;
  return `${completed} of ${runs} runs completed${latency}${cost}${tested}`;
}
