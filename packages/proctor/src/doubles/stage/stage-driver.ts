// A stage as an agent, so that a declarative test is a run like any other: what reaches the gateway's client is said in the run, what was seen
// is its artifact. How it is judged is the suite's.
import { failure } from "../../core/failure.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import { messageOf } from "../../core/message-of.ts";
import { textPart } from "../../core/message.ts";
import { OBSERVATION, type Observation, type ObservedOutput } from "../../core/observation.ts";
import type { AgentDriver, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import type { StageScript } from "../../core/stage-script.ts";

/** Plays a script, and resolves with what was seen. */
export type PlayStage = (
  script: StageScript,
  onOutput: (output: ObservedOutput) => void,
  signal: AbortSignal,
) => Promise<Observation>;

export interface StageDriverDeps {
  /** Reads the script in an agent's options; throws for what is not one. */
  read: (options: JsonObject) => StageScript;
  play: PlayStage;
}

export function createStageDriver(deps: StageDriverDeps): AgentDriver {
  return {
    open: (job, signals) => ({ [Symbol.asyncIterator]: () => perform(deps, job, signals) }),
  };
}

async function* perform(
  { read, play }: StageDriverDeps,
  job: Job,
  signals: StopSignals,
): AsyncGenerator<AgentReport> {
  const leaving = new AbortController();
  const leave = (): void => leaving.abort();
  const said: ObservedOutput[] = [];
  let wake = (): void => undefined;
  let over = false;
  for (const signal of [signals.cancel, signals.kill]) {
    signal.addEventListener("abort", leave);
    if (signal.aborted) leave();
  }
  try {
    const playing = play(
      read(job.spec.options ?? {}),
      (output) => {
        said.push(output);
        wake();
      },
      leaving.signal,
    ).finally(() => {
      over = true;
      wake();
    });
    playing.catch(() => undefined);
    for (let next = 0; ;) {
      const output = said[next];
      if (output) {
        next += 1;
        yield reportOf(output, next);
      } else if (over) break;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    const observation = await playing;
    yield { kind: "artifact", artifact: { type: "structured", name: OBSERVATION, data: observation } };
    yield { kind: "end", end: { status: leaving.signal.aborted ? "cancelled" : "completed" } };
  } catch (error) {
    const status = leaving.signal.aborted ? "cancelled" : "failed";
    yield {
      kind: "end",
      end: { status, failure: failure("INTERNAL_ERROR", `the stage broke: ${messageOf(error)}`) },
    };
  } finally {
    leave();
    for (const signal of [signals.cancel, signals.kill]) signal.removeEventListener("abort", leave);
  }
}

function reportOf({ type, event }: ObservedOutput, number: number): AgentReport {
  const text = type === "error" ? `error: ${wordIn(event["message"])}` : textsIn(event).join("");
  const message = {
    id: `output-${number}`,
    role: "agent" as const,
    parts: [textPart(text === "" ? `(${type})` : text)],
  };
  return { kind: "message", message };
}

/** Returns all texts of an event, wherever they are. */
function textsIn(value: Json | undefined): string[] {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJsonObject(value)) return [];
  if (typeof value["text"] === "string") return [value["text"]];
  return [
    ...textsIn(value["status"]),
    ...textsIn(value["message"]),
    ...textsIn(value["artifact"]),
    ...textsIn(value["parts"]),
  ];
}

function wordIn(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
