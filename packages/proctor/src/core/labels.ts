// What a run may ask of the worker that carries it out: its priority, and labels that the worker must have.
import type { AgentSpec } from "./agent.ts";
import type { RunOptions } from "./run-options.ts";

export const LABEL = /^[a-z0-9._-]{1,40}$/;
export const MAX_LABELS = 20;
export const MAX_PRIORITY = 100;

/** The label of every process that has the database, and of no worker that reaches a hub over HTTP. No request can name it: LABEL excludes it. */
export const DATABASE_LABEL = "DATABASE";

type Placed = Partial<Pick<AgentSpec, "protocol" | "transport" | "requires">>;

/** Returns the labels that a worker must have to carry out the run: those of its agent and its own, sorted, each once. */
export function requiredLabels(spec: Placed, options: RunOptions): string[] {
  const implied = needsDatabase(spec, options) ? [DATABASE_LABEL] : [];
  if (spec.requires === undefined && options.requires === undefined) return implied;
  return [...new Set([...implied, ...(spec.requires ?? []), ...(options.requires ?? [])])].sort();
}

/** Goals, script tools, inboxes and capabilities are what the database holds besides runs. */
function needsDatabase({ protocol, transport }: Placed, { tools, capability }: RunOptions): boolean {
  if (protocol === "goal" || protocol === "script-tool") return true;
  if (protocol === "envelope" && transport === "inbox") return true;
  return capability !== undefined || (tools?.scripts ?? []).length > 0;
}

export function areLabels(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_LABELS && value.every(isLabel);
}

function isLabel(value: unknown): boolean {
  return typeof value === "string" && LABEL.test(value);
}

/** Returns whether a worker with these labels may carry out a run that requires those. */
export function hasLabels(has: readonly string[], required: readonly string[]): boolean {
  return required.every((label) => has.includes(label));
}
