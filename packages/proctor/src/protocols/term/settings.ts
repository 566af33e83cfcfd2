// How a terminal agent works, with the defaults that document 002 names or leaves open.
import type { EnvironmentOptions } from "../../core/environment.ts";
import type { Job } from "../../core/ports/driver.ts";

export interface TermSettings {
  maxSteps: number;
  responseMs: number;
  commandMs: number;
  shell: "persistent" | "fresh";
  noopLimit: number;
  lenient: boolean;
  confirmCompletion: boolean;
  outputLimit: number;
  snapshots: NonNullable<EnvironmentOptions["snapshots"]>;
}

const TERM_DEFAULTS = {
  max_steps: 100,
  /** Limits in seconds: "If the agent times out (300s default)". */
  agent_response_seconds: 300,
  command_seconds: 120,
  noop_limit: 3,
  output_limit: 10_000,
} as const;

export function termSettings({ options, constraints }: Job): TermSettings {
  const terminal = options?.terminal ?? {};
  const steps = [terminal.max_steps, constraints.max_steps].filter((limit) => limit != null);
  return {
    maxSteps: steps.length === 0 ? TERM_DEFAULTS.max_steps : Math.min(...steps),
    responseMs: (terminal.agent_response_seconds ?? TERM_DEFAULTS.agent_response_seconds) * 1000,
    commandMs: (terminal.command_seconds ?? TERM_DEFAULTS.command_seconds) * 1000,
    shell: terminal.shell ?? "persistent",
    noopLimit: terminal.noop_limit ?? TERM_DEFAULTS.noop_limit,
    lenient: terminal.lenient === true,
    confirmCompletion: terminal.confirm_completion === true,
    outputLimit: terminal.output_limit ?? TERM_DEFAULTS.output_limit,
    snapshots: options?.environment?.snapshots ?? "auto",
  };
}
