// What came of a run, ready to be looked at without waiting: its log, its artifacts, and what the checks say.
import { buffer } from "node:stream/consumers";
import { artifactName, type Artifact } from "../core/artifact.ts";
import type { RunEvent } from "../core/event.ts";
import type { Json } from "../core/json.ts";
import type { Metrics } from "../core/metrics.ts";
import type { Hub } from "../core/ports/hub.ts";
import { readLog } from "../core/read-log.ts";
import type { Run, RunStatus } from "../core/run.ts";
import { toolCalls, type ToolCall } from "../suites/calls/tool-calls.ts";
import { quote } from "../core/printable.ts";
import type { AttemptResult } from "../suites/result.ts";
import { subjectOf, type SubjectDeps } from "../suites/run/subject.ts";
import type { Outcome } from "../suites/verdict.ts";

export interface TestVerdict {
  type: string;
  outcome: Outcome;
  message: string;
}

export interface TestRun {
  run: Run;
  status: RunStatus;
  /** True when the run completed and every check passed. */
  passed: boolean;
  verdicts: TestVerdict[];
  /** All events of the run's log, in order. */
  events: RunEvent[];
  /** Tool calls as the hub saw them where it served the tools, otherwise as the agent reported them. */
  toolCalls: ToolCall[];
  metrics: Metrics;
  artifacts: Artifact[];
  /** Returns the content of an artifact, or of the only one when no name is given. Throws when there is none. */
  text(name?: string): string;
  /** Returns the content of an artifact, parsed as JSON. */
  json(name?: string): Json;
  /** Throws an error that says what is wrong unless everything passed. */
  expectPass(): void;
  toString(): string;
}

/** Bytes of all artifacts together that are read. The rest is left out. */
const MAX_BYTES = 32 * 1024 * 1024;

export async function readTestRun(
  attempt: AttemptResult,
  runId: string,
  deps: SubjectDeps,
): Promise<TestRun> {
  const { hub } = deps;
  const run = await hub.run(runId);
  const events: RunEvent[] = [];
  for await (const event of readLog(hub, runId)) events.push(event);
  const contents = await readContents(run, hub);
  const verdicts = attempt.checks.map(({ type, verdict: { outcome, message } }) => ({
    type,
    outcome,
    message,
  }));
  const passed = attempt.outcome === "pass";
  const summary = describe(run, passed, verdicts, attempt.reason);

  function text(name?: string): string {
    const wanted = name ?? onlyName(run);
    const content = contents.get(wanted);
    if (content !== undefined) return content;
    const isThere = run.artifacts.some((artifact) => artifactName(artifact) === wanted);
    throw new Error(
      isThere
        ? `the content of ${quote(wanted)} is not here`
        : `there is no artifact ${quote(wanted)}; ${listOf(run)}`,
    );
  }

  function expectPass(): void {
    if (passed) return;
    const error = new Error(summary);
    // The stack begins where the test asked.
    Error.captureStackTrace(error, expectPass);
    throw error;
  }

  return {
    run,
    status: run.status,
    passed,
    verdicts,
    events,
    toolCalls: await toolCalls(subjectOf(run, "", deps, events), run.options.tools !== undefined),
    metrics: run.metrics,
    artifacts: run.artifacts,
    text,
    json(name) {
      try {
        return JSON.parse(text(name)) as Json;
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        throw new Error(`the artifact ${quote(name ?? onlyName(run))} is no JSON: ${error.message}`, {
          cause: error,
        });
      }
    },
    expectPass,
    toString: () => summary,
  };
}

async function readContents(run: Run, hub: Hub): Promise<Map<string, string>> {
  const contents = new Map<string, string>();
  let left = MAX_BYTES;
  for (const artifact of run.artifacts) {
    const name = artifactName(artifact);
    if (artifact.type === "structured" && artifact.data !== undefined)
      contents.set(name, JSON.stringify(artifact.data));
    else if (artifact.content_hash !== undefined && (artifact.size_bytes ?? 0) <= left) {
      const bytes = await buffer(await hub.readArtifact(run.id, artifact.id));
      left -= bytes.byteLength;
      contents.set(name, bytes.toString("utf8"));
    }
  }
  return contents;
}

function onlyName(run: Run): string {
  const [first, ...others] = run.artifacts;
  if (first && others.length === 0) return artifactName(first);
  throw new Error(`${first ? "name the artifact" : "the run has no artifact"}; ${listOf(run)}`);
}

function listOf({ artifacts, status }: Run): string {
  if (artifacts.length === 0) return `the run ended as ${status} and left none`;
  return `there ${artifacts.length === 1 ? "is" : "are"}: ${artifacts.map((artifact) => quote(artifactName(artifact))).join(", ")}`;
}

function describe(run: Run, passed: boolean, verdicts: readonly TestVerdict[], reason?: string): string {
  const good = verdicts.filter(({ outcome }) => outcome === "pass").length;
  const head = passed ? "passed" : (reason ?? `${good} of ${verdicts.length} checks passed`);
  const lines = verdicts
    .filter(({ outcome }) => outcome !== "pass")
    .map(
      ({ type, outcome, message }) =>
        `  ${type}: ${message}${outcome === "unevaluated" ? " (not evaluated)" : ""}`,
    );
  return [head, ...lines, `  run ${run.id} on ${run.agent}, ${run.status}`].join("\n");
}
