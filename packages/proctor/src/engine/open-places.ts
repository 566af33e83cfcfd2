// The environments of an agent's program and of its terminal during a run. A program runs on the hub's machine itself unless its
// address says otherwise; a terminal only when that is asked for.
import { messageOf } from "../core/message-of.ts";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { AgentSpec } from "../core/agent.ts";
import { ENVIRONMENT_KINDS, type EnvironmentFacts, type EnvironmentKind } from "../core/environment.ts";
import { ProctorError } from "../core/errors.ts";
import { failure, type Failure } from "../core/failure.ts";
import { isJsonObject } from "../core/json.ts";
import type { AgentDriver, StopSignals } from "../core/ports/driver.ts";
import { terminalId, type Environment, type Environments, type Mount } from "../core/ports/environments.ts";
import type { RunOptions } from "../core/run-options.ts";
import type { Run } from "../core/run.ts";

export interface PlaceDeps {
  environments: Environments;
  /** Resolves with the directories of this machine that the program of an agent needs to see. */
  agentMounts: (spec: AgentSpec, workspacePath: string | undefined) => Promise<readonly Mount[]>;
  /** Called when a run has ended and its terminal stays open to be judged. */
  onHeld?: (runId: string) => void;
}

export interface Places {
  agent: Environment | undefined;
  terminal: Environment | undefined;
  facts: readonly EnvironmentFacts[];
  /** Copies the terminal's files into the workspace; undefined where they are not needed there. */
  bringBack: (() => Promise<void>) | undefined;
  close(): Promise<void>;
}

interface PlacesRequest {
  run: Run;
  spec: AgentSpec;
  driver: AgentDriver;
  options: RunOptions;
  /** Reads the files of a terminal after a step of a run; throws when they were not kept. */
  readSnapshot: (from: { run_id: string; step?: number }) => Promise<AsyncIterable<Uint8Array>>;
  /** Replaces the run's secrets in file content; absent when it has none. */
  redactBytes?: (content: Uint8Array) => Uint8Array;
  /** Signals of the run: `cancel` aborts what takes long. */
  signals: Pick<StopSignals, "cancel">;
}

/** What exists before the places are opened. */
interface Given {
  workspacePath: string | undefined;
  /** The ports of this machine that the agent's program has to reach. */
  ports: readonly number[];
}

/** Most bytes and files that are copied from a terminal into the workspace. */
const MAX_BROUGHT_BACK = { maxBytes: 1024 * 1024 * 1024, maxFiles: 100_000 };

export async function openPlaces(
  deps: PlaceDeps,
  request: PlacesRequest,
  given: Given,
): Promise<Places | Failure> {
  const { driver, options } = request;
  const { workspacePath } = given;
  let agent: Environment | undefined;
  let terminal: Environment | undefined;

  async function close(): Promise<void> {
    await Promise.all([agent?.destroy(), terminal?.destroy()]);
  }

  async function closeAgentOnly(): Promise<void> {
    deps.onHeld?.(request.run.id);
    await agent?.destroy();
  }

  try {
    agent = await openAgentPlace(deps, request, given);
    if (driver.needs?.terminal === true) terminal = await openTerminal(deps, request, given);
  } catch (error) {
    await close().catch(() => undefined);
    return placeFailure(error);
  }
  const wantsFiles =
    options.workspace?.collect !== undefined || options.workspace?.hold || options.workspace?.keep;
  return {
    agent,
    terminal,
    facts: [agent, terminal].flatMap((place) => (place ? [place.facts] : [])),
    bringBack:
      terminal && workspacePath !== undefined && wantsFiles === true
        ? () => replaceContent(terminal, workspacePath)
        : undefined,
    close: options.environment?.hold === true && terminal ? closeAgentOnly : close,
  };
}

async function openAgentPlace(
  { environments, agentMounts }: PlaceDeps,
  { run, spec, driver, options, signals }: PlacesRequest,
  { workspacePath, ports }: Given,
): Promise<Environment | undefined> {
  // Where there is a terminal, the client's options are for the terminal.
  const asked = driver.needs?.terminal === true ? {} : (options.environment ?? {});
  const kind = spec.environment ?? asked.kind ?? "local";
  if (kind === "local") return undefined;
  if (!isKind(kind))
    throw new Error(`there is no environment called ${kind}\nthere are: ${ENVIRONMENT_KINDS.join(", ")}`);
  const { network, allow_hosts, limits, env } = asked;
  return environments.open({
    id: `${run.id}-agent`,
    role: "agent",
    options: {
      kind,
      network: network ?? "none",
      workdir: spec.cwd ?? workspacePath ?? "/tmp",
      ...(allow_hosts && { allow_hosts }),
      ...(limits && { limits }),
      ...(env && { env }),
    },
    mounts: await agentMounts(spec, workspacePath),
    readOnly: true,
    ports,
    signal: signals.cancel,
  });
}

async function openTerminal(
  { environments }: PlaceDeps,
  { run, options, readSnapshot, redactBytes, signals }: PlacesRequest,
  { workspacePath }: Given,
): Promise<Environment> {
  const { from, ...asked } = options.environment ?? {};
  const restore = from && (await readSnapshot(from));
  const terminal = await environments.open({
    id: terminalId(run.id),
    role: "terminal",
    options: asked,
    ...(restore && { restore }),
    ...(redactBytes && { redact: redactBytes }),
    signal: signals.cancel,
  });
  try {
    const given = workspacePath === undefined ? [] : await readdir(workspacePath);
    if (workspacePath !== undefined && given.length > 0)
      await terminal.copyIn(workspacePath, terminal.workdir);
    return terminal;
  } catch (error) {
    await terminal.destroy().catch(() => undefined);
    throw error;
  }
}

/** Replaces the content of a directory, but not the directory itself, because others know its path. */
async function replaceContent(terminal: Environment, folder: string): Promise<void> {
  const fresh = await mkdtemp(`${folder}.`);
  try {
    await terminal.copyOut(terminal.workdir, fresh, MAX_BROUGHT_BACK);
    for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true });
    for (const name of await readdir(fresh)) await rename(join(fresh, name), join(folder, name));
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

function isKind(kind: string): kind is EnvironmentKind {
  return (ENVIRONMENT_KINDS as readonly string[]).includes(kind);
}

function placeFailure(error: unknown): Failure {
  const message = messageOf(error);
  if (
    error instanceof ProctorError &&
    (error.code === "ENVIRONMENT_UNAVAILABLE" || error.code === "BUILD_FAILED")
  ) {
    const { details } = error;
    return failure(error.code, message, isJsonObject(details) ? details : undefined);
  }
  return failure("ENVIRONMENT_FAILED", message);
}
