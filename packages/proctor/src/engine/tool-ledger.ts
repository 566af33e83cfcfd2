// Compares the tool calls an agent reports with those the platform observed at the run's tool endpoint.
import { canonicalJson } from "../core/canonical-json.ts";
import type { AgentEventPayloads, Violation } from "../core/event.ts";
import type { ObservedCall } from "../core/tools.ts";

export interface ToolLedger {
  reported(call: AgentEventPayloads["tool_call"]): void;
  observed(call: ObservedCall): void;
  /** To be called at the end. Returns calls that were reported and never made, made and not reported, or reported with another input. */
  settle(): Violation[];
}

interface Entry {
  tool: string;
  input: string;
}

/** Most calls that are compared; later ones are left out. */
const MAX_ENTRIES = 10_000;

/** `names` are the tools of the endpoint; calls of an agent's own tools cannot be checked. */
export function createToolLedger(names: readonly string[]): ToolLedger {
  const known = new Set(names);
  const reported: Entry[] = [];
  const observed: Entry[] = [];
  const seenIds = new Set<string>();

  return {
    reported({ tool, input, call_id: id }) {
      if (typeof tool !== "string" || !known.has(tool) || reported.length >= MAX_ENTRIES) return;
      // The start and the end of a call are one call.
      if (typeof id === "string" && seenIds.has(id)) return;
      if (typeof id === "string") seenIds.add(id);
      reported.push({ tool, input: canonicalJson(input ?? {}) });
    },
    observed({ tool, input, mode }) {
      // Agents do not report what they ask a lab.
      if (mode !== "lab" && observed.length < MAX_ENTRIES)
        observed.push({ tool, input: canonicalJson(input) });
    },
    settle() {
      const claims = without(reported, observed, (a, b) => a.tool === b.tool && a.input === b.input);
      const facts = without(observed, reported, (a, b) => a.tool === b.tool && a.input === b.input);
      const invented = without(claims, facts, (a, b) => a.tool === b.tool);
      const hidden = without(facts, claims, (a, b) => a.tool === b.tool);
      const altered = without(claims, invented, (a, b) => a === b);
      return [
        ...invented.map(({ tool }) => complaint("tool.unobserved", tool, "was reported and never made")),
        ...hidden.map(({ tool }) => complaint("tool.unreported", tool, "was made and not reported")),
        ...altered.map(({ tool }) => complaint("tool.misreported", tool, "was reported with another input")),
      ];
    },
  };
}

function complaint(rule: string, tool: string, what: string): Violation {
  return { rule, message: `a call of ${tool} ${what}`, where: `tool ${tool}` };
}

/** Returns what remains of `all` when each of `others` removes one that it matches. */
function without(
  all: readonly Entry[],
  others: readonly Entry[],
  matches: (a: Entry, b: Entry) => boolean,
): Entry[] {
  const rest = [...all];
  for (const other of others) {
    const index = rest.findIndex((entry) => matches(entry, other));
    if (index !== -1) rest.splice(index, 1);
  }
  return rest;
}
