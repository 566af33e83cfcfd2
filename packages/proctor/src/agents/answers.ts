// What the registry learns of agents that do not beat: how they answered their runs and their probes.
import { AGENT_NAME } from "../core/agent.ts";
import type { RegisteredAgent } from "../core/registration.ts";
import type { Run } from "../core/run.ts";
import type { Entries } from "./entries.ts";
import type { Entry } from "./entry.ts";
import { measureRun, type Measures } from "./measures.ts";

export interface Answers {
  /** Measures how the agent of an ended run answered. */
  runEnded(run: Run): Promise<void>;
  /** Records what a probe of the agent found: nothing, or what is wrong. */
  probed(name: string, trouble: string | undefined): void;
  /** Lists agents that have to be probed. */
  probedAgents(): Promise<readonly RegisteredAgent[]>;
}

interface AnswersDeps {
  entries: Pick<Entries, "get" | "sorted">;
  ready: () => Promise<void>;
  describe: (entry: Entry) => RegisteredAgent;
  now: () => number;
  /** Records how the agent answers. */
  onMeasured: (name: string, measures: Measures) => void;
  /** Called when the state of the agent may have changed. */
  onHeard: (entry: Entry) => void;
  /** True where another process measures. */
  readOnly: boolean;
}

export function createAnswers({
  entries,
  ready,
  describe,
  now,
  onMeasured,
  onHeard,
  readOnly,
}: AnswersDeps): Answers {
  return {
    async runEnded(run) {
      if (readOnly || !AGENT_NAME.test(run.agent)) return;
      await ready();
      const entry = entries.get(run.agent);
      if (entry === undefined) return;
      const measures = measureRun(entry.measures, run);
      if (measures === entry.measures) return;
      entry.measures = measures;
      if (measures.answered === true) {
        entry.answeredAt = measures.answered_at;
        entry.failedProbes = 0;
      }
      onMeasured(run.agent, measures);
      onHeard(entry);
    },
    probed(name, trouble) {
      const entry = entries.get(name);
      if (entry === undefined) return;
      entry.trouble = trouble ?? null;
      entry.failedProbes = trouble === undefined ? 0 : entry.failedProbes + 1;
      if (trouble === undefined) entry.answeredAt = now();
      onHeard(entry);
    },
    async probedAgents() {
      await ready();
      return entries
        .sorted()
        .map(describe)
        .filter(({ kind }) => kind === "probed");
    },
  };
}
