// A trial as files, for people and for other tools: what was asked, what came of it, the trajectory, the recording, the changed
// files. The names are those that readers of Harbor's job folders know.
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { json } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { Artifact } from "../core/artifact.ts";
import type { RunEvent } from "../core/event.ts";
import type { JsonObject } from "../core/json.ts";
import type { Hub } from "../core/ports/hub.ts";
import type { Verification } from "../core/ports/verify.ts";
import type { Run } from "../core/run.ts";
import type { AttemptResult } from "../suites/result.ts";
import { readLog } from "../core/read-log.ts";
import { atifOf } from "./atif.ts";
import { phasesOf } from "./phases.ts";

export interface Trial {
  /** Name of the trial's folder inside the folder of the job. */
  name: string;
  run: Run;
  attempt: AttemptResult;
  verification?: Verification;
}

interface TrialDeps {
  folder: string;
  hub: Hub;
  version: string;
}

/** Paths of artifacts that are copied, with their names in the folder. */
const KEPT: readonly (readonly [string, string])[] = [["terminal/recording.cast", "recording.cast"]];

/** Writes the folder of a trial, in place of an earlier one of that name. */
export async function writeTrial(
  { name, run, attempt, verification }: Trial,
  deps: TrialDeps,
): Promise<void> {
  const target = join(deps.folder, name);
  const folder = `${target}.partial`;
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "verifier"), { recursive: true });
  const events: RunEvent[] = [];
  for await (const event of readLog(deps.hub, run.id)) if (event.type !== "wire.message") events.push(event);
  const write = (file: string, value: JsonObject | readonly JsonObject[]): Promise<void> =>
    writeFile(join(folder, file), `${JSON.stringify(value, null, 2)}\n`);
  await write("config.json", configOf(run));
  await write("result.json", resultOf(name, run, attempt, events, verification));
  await write("trajectory.json", await atifOf(run, list(events), deps.version));
  for (const [path, file] of KEPT) await copyArtifact(run, path, join(folder, file), deps.hub);
  await copyData(run, "changes", join(folder, "changes.json"), deps.hub);
  await writeFile(join(folder, "agent.log"), logOf(events));
  if (verification) await writeVerifier(verification, join(folder, "verifier"));
  await rm(target, { recursive: true, force: true });
  await rename(folder, target);
}

function configOf({ agent, task, constraints, options, metadata }: Run): JsonObject {
  return {
    agent,
    instruction: task.description,
    constraints: { ...constraints },
    options,
    metadata,
  };
}

function resultOf(
  name: string,
  run: Run,
  attempt: AttemptResult,
  events: readonly RunEvent[],
  verification: Verification | undefined,
): JsonObject {
  const verdict = attempt.checks.find(({ type }) => type === "verifier")?.verdict;
  const places = events.flatMap((event) => (event.type === "environment.opened" ? [event.payload] : []));
  return {
    trial: name,
    run_id: run.id,
    outcome: attempt.outcome,
    source: attempt.source,
    agent_status: run.status,
    agent_failure: run.failure,
    rewards: verification?.rewards ?? verdict?.details?.["rewards"] ?? null,
    ...(verdict && { verdict: { outcome: verdict.outcome, message: verdict.message } }),
    ...(attempt.reason !== undefined && { reason: attempt.reason }),
    metrics: run.metrics,
    phases: phasesOf(run, events, verdict?.details ?? {}),
    ...(verification && { verifier_notes: [...verification.notes] }),
    ...(verification?.restored && { restored: [...verification.restored] }),
    isolated: places.every(({ isolated }) => isolated),
    environments: places,
  };
}

function logOf(events: readonly RunEvent[]): string {
  const lines = events.flatMap((event) => (event.type === "log" ? [event.payload.text] : []));
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

async function writeVerifier({ output, files }: Verification, folder: string): Promise<void> {
  await writeFile(join(folder, "output.txt"), output);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function copyArtifact(run: Run, path: string, file: string, hub: Hub): Promise<void> {
  const artifact = run.artifacts.find((one) => one.type === "file" && one.path === path);
  if (artifact) await pipeline(await hub.readArtifact(run.id, artifact.id), createWriteStream(file));
}

async function copyData(run: Run, name: string, file: string, hub: Hub): Promise<void> {
  const artifact = run.artifacts.find((one) => one.type === "structured" && one.name === name);
  if (!artifact) return;
  await writeFile(file, JSON.stringify(await dataOf(run, artifact, hub), null, 2));
}

async function dataOf(run: Run, artifact: Artifact, hub: Hub): Promise<unknown> {
  if (artifact.type === "structured" && artifact.data !== undefined) return artifact.data;
  return json(await hub.readArtifact(run.id, artifact.id));
}

async function* list<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items;
}
