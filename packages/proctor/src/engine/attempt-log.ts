// Everything that happens in an attempt passes here on its way to the log: it is folded, checked against the limits, searched for the
// canary, reported tool calls are compared with observed ones, and violations that fail a strict run are counted.
import type { EventDraft, Violation } from "../core/event.ts";
import { applyEvent, type RunState } from "../core/fold.ts";
import type { TalkState } from "../core/fold-talk.ts";
import { metricProblem } from "../core/metrics.ts";
import type { Clock } from "../core/ports/clock.ts";
import type { ReceivedArtifact } from "../core/ports/driver.ts";
import type { ModelCall } from "../core/ports/model-host.ts";
import type { Run } from "../core/run.ts";
import type { ObservedCall } from "../core/tools.ts";
import { ownerOf } from "../core/violation-owner.ts";
import type { Canary } from "./canary.ts";
import { keepArtifact, type KeepDeps } from "./keep-artifact.ts";
import { exceededLimit } from "./limits.ts";
import type { Recorder } from "./recorder.ts";
import { createRunOutput, type RunOutput } from "./run-output.ts";
import type { StopCause } from "./stopper.ts";
import { createToolLedger, type ToolLedger } from "./tool-ledger.ts";

export interface AttemptLog {
  readonly state: RunState;
  readonly maxArtifacts: number;
  /** Number of rules of its protocol's document that the agent broke, and the first violation. */
  readonly violations: { count: number; first: Violation | undefined };
  /** Output of the run; present where it carries out a capability. */
  readonly output?: RunOutput;
  /** Returns a promise to wait for when the log is behind; otherwise undefined. */
  record(draft: EventDraft): Promise<void> | undefined;
  /** Stores the artifact under this id, or a new one. */
  keep(artifact: ReceivedArtifact, deps: KeepDeps, id?: string): Promise<void>;
  /** Resolves when the call is on disk. */
  observe(call: ObservedCall): Promise<void>;
  /** Resolves when the call of the run's model is on disk. */
  observeModel(call: ModelCall): Promise<void>;
  expectTools(names: readonly string[]): void;
  /** Takes note of an event that another writer put into the log. */
  heard(event: EventDraft): void;
  /** Records what the comparison of reported with observed calls found. */
  settle(): Promise<void>;
}

/** Types of events in which the canary is not looked for: they were searched before they were redacted, or hold it as it was sent. */
const UNSEARCHED: ReadonlySet<string> = new Set(["wire.message", "message.extended"]);

/** Most tools that get a violation of their own; an agent may invent names without end. */
const MAX_REFUSED = 100;

export function createAttemptLog(options: {
  run: Run;
  /** State of the run's messages and questions before this attempt. */
  talk: TalkState | undefined;
  recorder: Recorder;
  clock: Clock;
  canary: Canary | undefined;
  maxArtifacts: number;
  stop: (cause: StopCause) => void;
  /** Called when the run has used something; `written` resolves when that is on disk. */
  onSpent: (written: () => Promise<void>) => void;
}): AttemptLog {
  const { run, recorder, clock, canary, maxArtifacts } = options;
  const { allowed_tools: allowed } = run.constraints;
  const refused = new Set<string>();
  const impossible = new Set<string>();
  const violations: { count: number; first: Violation | undefined } = { count: 0, first: undefined };
  let ledger: ToolLedger | undefined;
  const output = run.options.capability === undefined ? undefined : createRunOutput();
  const { talk } = options;
  const first: RunState = { run, openCalls: [], ...(talk && { talk: { ...talk, parked: false } }) };

  function record(draft: EventDraft): Promise<void> | undefined {
    output?.hear(draft);
    const before = log.state.run.metrics;
    log.state = applyEvent(log.state, run.id, draft, clock.now());
    const { metrics } = log.state.run;
    if (metrics !== before) {
      options.onSpent(() => recorder.flush());
      const excess = exceededLimit(metrics, run.constraints);
      if (excess) options.stop({ status: "failed", failure: excess });
    }
    if (draft.type === "violation" && ownerOf(draft.payload) === "document") {
      violations.count += 1;
      violations.first ??= draft.payload;
    }
    // A recorded message holds the canary that was sent; what the agent said is searched in the events it became.
    if (!UNSEARCHED.has(draft.type)) {
      canary?.look(JSON.stringify([draft.payload, draft.origin ?? null]), placeOf(draft));
    }
    const full = recorder.push(draft);
    if (draft.type === "tool_call") return checkCall(draft) ?? full;
    return draft.type === "llm_request" ? (checkAmounts(draft) ?? full) : full;
  }

  /** Keeps an impossible amount out of every sum, and records a violation once per field. */
  function checkAmounts({ payload }: EventDraft & { type: "llm_request" }): Promise<void> | undefined {
    let full: Promise<void> | undefined;
    for (const name of ["input_tokens", "output_tokens", "cost_usd"] as const) {
      const problem = metricProblem(name, payload[name] ?? undefined);
      if (problem === undefined || impossible.has(name)) continue;
      impossible.add(name);
      const message = `${name} ${problem}, and is ${JSON.stringify(payload[name])}; it is left out`;
      const where = `llm_request.${name}`;
      full = record({ type: "violation", payload: { rule: "metrics.value", message, where } }) ?? full;
    }
    return full;
  }

  /** Document 000: `allowed_tools` is a whitelist. */
  function checkCall({ payload }: EventDraft & { type: "tool_call" }): Promise<void> | undefined {
    ledger?.reported(payload);
    const { tool } = payload;
    if (!allowed || typeof tool !== "string" || allowed.includes(tool)) return undefined;
    if (refused.has(tool) || refused.size >= MAX_REFUSED) return undefined;
    refused.add(tool);
    const message = `the agent used ${tool}, which is not among its allowed tools`;
    return record({
      type: "violation",
      payload: { rule: "tool.not_allowed", message, where: `tool ${tool}` },
    });
  }

  const log: AttemptLog & { state: RunState } = {
    state: first,
    maxArtifacts,
    violations,
    ...(output && { output }),
    record,
    async keep(received, deps, id) {
      if (log.state.run.artifacts.length >= maxArtifacts) {
        const message = `a run keeps at most ${maxArtifacts} artifacts`;
        return record({ type: "violation", payload: { rule: "artifact.count", message } });
      }
      const { artifact, violations: found } = await keepArtifact(received, deps, id);
      for (const violation of found) await record({ type: "violation", payload: violation });
      await record({ type: "artifact.added", payload: { artifact } });
    },
    async observe(call) {
      ledger?.observed(call);
      await record({ type: "tool.called", payload: call });
      await recorder.flush();
    },
    async observeModel(call) {
      await record({ type: "llm_request", payload: call });
      await recorder.flush();
    },
    expectTools(names) {
      if (names.length > 0) ledger = createToolLedger(names);
    },
    heard(event) {
      try {
        log.state = applyEvent(log.state, run.id, event, clock.now());
      } catch {
        // What this attempt is about to write overtook it: the store decides, and this state is only for limits.
      }
    },
    async settle() {
      for (const violation of ledger?.settle() ?? []) await record({ type: "violation", payload: violation });
    },
  };
  return log;
}

function placeOf(draft: EventDraft): string {
  switch (draft.type) {
    case "tool.called":
      return `a call of the tool ${draft.payload.tool}`;
    case "log":
      return `its ${draft.payload.stream}`;
    case "artifact.added":
      return "an artifact";
    default:
      return `${/^[aeiou]/.test(draft.type) ? "an" : "a"} ${draft.type} event`;
  }
}
