// `proctor agents search`.
import { ProctorError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { parseJson } from "../../../core/parse-json.ts";
import type { AgentMatch, SearchResult } from "../../../core/registration.ts";
import { hubAction } from "../hub-action.ts";
import { loadText, paintState, stateText } from "../../terminal/agent-state.ts";
import type { Screen } from "../../terminal/screen.ts";
import { renderTable, type Column } from "../../terminal/table.ts";
import { oneLine } from "../../terminal/text.ts";
import { parsePairs } from "../key-values.ts";
import type { SearchFlags } from "./flags.ts";

export const searchAgents = hubAction(
  "read",
  async ({ platform, screen }, capability: string, flags: SearchFlags) => {
    const { range, input, label, stage, limit } = flags;
    const result = await platform.registry.search({
      capability,
      ...(range !== undefined && { version: range }),
      ...(input !== undefined && { input: readInput(input) }),
      ...(label !== undefined && { labels: parsePairs("--label", label) }),
      ...(stage !== undefined && { stage }),
      ...(limit !== undefined && { limit }),
    });
    if (flags.json === true) screen.printJson(result);
    else screen.print(...renderResult(capability, result, screen));
    return result.total > 0 ? 0 : 1;
  },
);

function readInput(text: string): Json {
  try {
    return parseJson(text, "--input");
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    throw new ProctorError("USAGE", `${error.message}\nfor example: --input '{"text": "Once upon a time"}'`);
  }
}

function renderResult(
  capability: string,
  { matches, total, rejected }: SearchResult,
  screen: Screen,
): string[] {
  const { paint, width } = screen;
  const columns: Column<AgentMatch>[] = [
    { title: "NAME", cell: ({ agent }) => agent.name, minWidth: 12 },
    { title: "VERSION", cell: ({ agent }) => agent.version ?? "" },
    {
      title: "STATE",
      cell: ({ agent }) => stateText(agent.health.state),
      paint: (text, { agent }) => paintState(paint, agent.health.state)(text),
    },
    { title: "LOAD", cell: ({ agent }) => loadText(agent.health.load) },
    { title: "STAGE", cell: ({ agent }) => agent.stage },
  ];
  const found =
    total === 0
      ? [`no agent can do "${oneLine(capability)}" like that`]
      : renderTable(columns, matches, { width, paintTitle: paint.dim });
  const more = total > matches.length ? ["", paint.dim(`${total - matches.length} more: --limit`)] : [];
  const left = rejected.map(({ agent, reason }) => paint.dim(`   not ${agent}: ${oneLine(reason)}`));
  return [...found, ...more, ...left];
}
