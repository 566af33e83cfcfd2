// Asks the agents that cannot beat how they are: each once in an interval, a few at a time. Agents that register by a URL are asked at once.
import type { AgentSpec } from "../core/agent.ts";
import { ProctorError } from "../core/errors.ts";
import { messageOf } from "../core/message-of.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { RegisteredAgent } from "../core/registration.ts";
import { pause } from "../runtime/time/pause.ts";
import type { LiveRegistry } from "./live-registry.ts";

export interface ProberDeps {
  registry: Pick<LiveRegistry, "probed" | "probedAgents" | "watch">;
  /** Resolves with how the agent is reached, with its real secrets. */
  specOf: (name: string) => Promise<AgentSpec>;
  /** Resolves with what is wrong; undefined where the agent is alive. Null where its protocol has no probe. */
  probe: (spec: AgentSpec, signal: AbortSignal) => Promise<string | undefined | null>;
  /** Has the agent do a task, and resolves with what went wrong. Absent where there are no runs. */
  tryTask?: (agent: string, task: string, signal: AbortSignal) => Promise<string | undefined>;
  clock: Clock;
  /** Returns a number from 0 to 1. */
  random: () => number;
  /** Milliseconds between two probes of one agent. */
  everyMs: number;
  /** Milliseconds that a probe may take. */
  timeoutMs?: number;
  report: (problem: unknown) => void;
}

export interface Prober {
  start(): void;
  close(): Promise<void>;
}

const AT_ONCE = 8;
const TIMEOUT_MS = 15_000;
/** Share of the interval by which rounds begin earlier or later, so that hubs do not ask in step. */
const JITTER = 0.2;

export function createProber(deps: ProberDeps): Prober {
  const { registry, clock, everyMs, timeoutMs = TIMEOUT_MS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  let cancel: (() => void) | undefined;
  let work: Promise<unknown> = Promise.resolve();

  async function ask({ name, metadata }: RegisteredAgent): Promise<void> {
    const limit = new AbortController();
    const stop = clock.after(timeoutMs, () => limit.abort(new Error("no answer in time")));
    const within = AbortSignal.any([signal, limit.signal]);
    try {
      const task = metadata?.["probe_task"];
      const trouble =
        typeof task === "string" && deps.tryTask
          ? await deps.tryTask(name, task, signal)
          : await deps.probe(await deps.specOf(name), within);
      if (trouble !== null && !signal.aborted) registry.probed(name, trouble);
    } catch (error) {
      if (!signal.aborted) registry.probed(name, messageOf(error));
    } finally {
      stop();
    }
  }

  async function round(): Promise<void> {
    const waiting = [...(await registry.probedAgents())];
    const one = async (): Promise<void> => {
      for (let next = waiting.pop(); next !== undefined && !signal.aborted; next = waiting.pop())
        await ask(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  }

  function later(): void {
    if (signal.aborted) return;
    const delayMs = everyMs * (1 + JITTER * (2 * deps.random() - 1));
    cancel = clock.after(delayMs, () => {
      work = round().catch(deps.report).finally(later);
    });
  }

  /** Probes agents that registered themselves by a URL: they want to be known as alive soon. */
  async function askNewOnes(): Promise<void> {
    while (!signal.aborted) {
      try {
        return await followNewOnes();
      } catch (error) {
        if (signal.aborted) return;
        if (!ProctorError.is(error) || error.code !== "RATE_LIMITED") throw error;
        // Asking took so long that this watcher was let go, or too many others watch: the rounds go on meanwhile.
        await pause(clock, everyMs, signal).catch(() => undefined);
      }
    }
  }

  async function followNewOnes(): Promise<void> {
    for await (const { type, document, sequence } of registry.watch(undefined, signal)) {
      const isNew = type === "registered" && sequence > 0 && document?.kind === "probed";
      if (isNew && document.health.state === "unknown") await ask(document);
    }
  }

  return {
    start() {
      later();
      void askNewOnes().catch(deps.report);
    },
    async close() {
      stopping.abort();
      cancel?.();
      await work;
    },
  };
}
