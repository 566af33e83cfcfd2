// Drives an Agent Protocol v1 server: creates a task, gives it its input files, executes steps until the last, fetches the
// artifacts. The protocol has no request to cancel: a stopped run closes the connection.
import { createHttpClient, type HttpClientOptions, type HttpClient } from "../../channels/http/client.ts";
import { failure } from "../../core/failure.ts";
import type { AgentDriver, AgentEnd, AgentReport, Job, StopSignals } from "../../core/ports/driver.ts";
import { leaveOnStop } from "../leave-on-stop.ts";
import { tapped, type WireTap } from "../wire-tap.ts";
import { createAsker } from "./driver/asker.ts";
import { encodeTask } from "./codec.ts";
import { collectArtifacts } from "./driver/collect.ts";
import { findInputs } from "../run-inputs.ts";
import { createAnswers, type Answers } from "./driver/questions.ts";
import { readTaskId } from "./driver/read-wire.ts";
import { violationReport } from "../reports.ts";
import { requestsOf } from "./driver/requests.ts";
import { executeSteps } from "./driver/steps.ts";
import { uploadInputs } from "./driver/upload.ts";
import { MAX_ARTIFACT_BYTES } from "./wire.ts";
import { createUsage } from "./driver/usage.ts";

export function createApDriver(options: HttpClientOptions = {}): AgentDriver {
  const client = createHttpClient(options);
  return {
    open(job, signals) {
      const answers = createAnswers();
      return {
        async answer(questionId, answer) {
          answers.give(questionId, answer);
        },
        ...tapped(job, (tap) => converse(client, job, { signals, answers }, tap)),
      };
    },
  };
}

async function* converse(
  client: HttpClient,
  job: Job,
  { signals, answers }: { signals: StopSignals; answers: Answers },
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport> {
  const leaving = leaveOnStop(signals, tap);
  let done = false;
  try {
    const end = yield* perform(client, job, { answers, signal: leaving.signal }, tap);
    done = true;
    const { failure: _, ...rest } = end;
    yield { kind: "end", end: leaving.signal.aborted ? { ...rest, status: "cancelled" } : end };
  } finally {
    leaving.close(done);
  }
}

async function* perform(
  client: HttpClient,
  job: Job,
  { answers, signal }: { answers: Answers; signal: AbortSignal },
  tap: WireTap | undefined,
): AsyncGenerator<AgentReport, AgentEnd> {
  const requests = requestsOf(job);
  if ("refused" in requests) return { status: "failed", failure: requests.refused };
  const inputs = await findInputs(job, {
    agent: "an Agent Protocol agent",
    maxFileBytes: MAX_ARTIFACT_BYTES,
  });
  if ("refused" in inputs) return { status: "failed", failure: inputs.refused };
  const asker = createAsker(client, signal, tap);

  const created = await asker.json(requests.createTask(JSON.stringify(encodeTask(job))));
  yield* created.reports;
  if (!created.ok) return { status: "failed", failure: created.failure };
  const { value: taskId, violations } = readTaskId(created.json);
  for (const violation of violations) yield violationReport(violation);
  const ofTask = taskId === undefined ? undefined : requests.ofTask(taskId);
  if (taskId === undefined || ofTask === undefined) {
    const what = taskId === undefined ? "has no task_id" : "has a task_id that cannot be part of a path";
    return { status: "failed", failure: failure("INVALID_RESPONSE", `the agent's task ${what}`) };
  }

  const uploaded = yield* uploadInputs(inputs, ofTask, asker);
  if (uploaded.failure) return { status: "failed", failure: uploaded.failure };
  const usage = createUsage();
  const steps = yield* executeSteps({ job, taskId, requests: ofTask, asker, usage, answers, signal });
  if (steps.result) yield { kind: "artifact", artifact: steps.result };
  // Artifacts of a failed task are collected too: what it had produced is kept.
  if (!steps.gone && !signal.aborted) {
    const known = steps.artifacts;
    yield* collectArtifacts({ requests: ofTask, asker, known, uploaded: uploaded.ids, signal });
  }
  const metrics = usage.metrics();
  if (steps.failure) return { status: "failed", failure: steps.failure, metrics };
  return { status: "completed", metrics };
}
