// What a run may ask of the worker that carries it out: its priority, and labels that the worker must have.
import type { AgentSpec } from "./agent.ts";
import type { RunOptions } from "./run-options.ts";

export const LABEL = /^[a-z0-9._-]{1,40}$/;
export const MAX_LABELS = 20;
export const MAX_PRIORITY = 100;

/** The labels that a worker must have to carry out the run: those of its agent and its own, sorted, each once. */
export function requiredLabels(spec: Pick<AgentSpec, "requires">, options: RunOptions): string[] {
  if (spec.requires === undefined && options.requires === undefined) return [];
  return [...new Set([...(spec.requires ?? []), ...(options.requires ?? [])])].sort();
}

export function areLabels(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MAX_LABELS && value.every(isLabel);
}

function isLabel(value: unknown): boolean {
  return typeof value === "string" && LABEL.test(value);
}

/** Whether a worker with these labels may carry out a run that requires those. */
export function hasLabels(has: readonly string[], required: readonly string[]): boolean {
  return required.every((label) => has.includes(label));
}
