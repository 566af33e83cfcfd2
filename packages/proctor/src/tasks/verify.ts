// Judges what a terminal run left behind: the same root, the run's files as they were, an environment that the agent has never
// been in. Nothing of the agent's is trusted there: not its variables, not its PATH, not a reward it wrote itself.
import { Buffer } from "node:buffer";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { findMissing, MISSING_FILE_VARIABLE, tellMissing } from "../core/missing-packages.ts";
import { terminalId, type Environment, type Environments } from "../core/ports/environments.ts";
import type { Verification, Verify, VerifyRequest } from "../core/ports/verify.ts";
import { mainReward } from "../suites/checks/verifier.ts";
import { rewardsOf, type Rewards } from "./rewards.ts";

type OpenArtifact = (runId: string, artifactId: string) => Promise<AsyncIterable<Uint8Array>>;

const LOGS = "/logs/verifier";
/** A file in LOGS that lists packages the tests needed and could not get. */
const MISSING_FILE = "missing.txt";
/** Directories of solutions, which tests must not see. */
const SOLUTIONS = ["/solution", "/oracle"];
/** Bytes of the tests' output that are kept. */
const MAX_OUTPUT_BYTES = 256 * 1024;
const MAX_LOGS = { maxBytes: 64 * 1024 * 1024, maxFiles: 500 };
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Removes a link at /logs first, because it could lead to a reward that the agent wrote. */
const PREPARE = [
  "{ [ ! -L /logs ] || rm -f /logs; }",
  `rm -rf ${LOGS}`,
  `mkdir -p ${LOGS} /logs/agent /logs/artifacts`,
  `chmod 777 ${LOGS}`,
].join(" && ");
const PREPARE_MS = 60_000;

/** `openArtifact` opens the bytes of a run's artifact. */
export function createVerify(environments: Environments, openArtifact: OpenArtifact): Verify {
  return async function verify(request, signal) {
    const startedAt = performance.now();
    const {
      snapshots: _,
      from: __,
      files: ___,
      user: ____,
      hold: _____,
      ...environment
    } = request.environment;
    const terminal = environments.find(terminalId(request.runId));
    const { runId, snapshot } = request;
    const restore = terminal || snapshot === undefined ? undefined : await openArtifact(runId, snapshot);
    if (!terminal && !restore) return unjudged();
    const place = await environments.open({
      id: `${request.runId}-verifier`,
      role: "verifier",
      options: {
        ...environment,
        // Tests of tasks are written for root, unless the task says otherwise.
        ...(request.user !== undefined && { user: request.user }),
        ...(request.workdir !== undefined && { workdir: request.workdir }),
        files: [...request.files],
      },
      ...(terminal && { over: terminal }),
      ...(restore && { restore }),
      restoreSystem: request.system === "restored",
      // Files of the agent must not remain where only the verifier writes.
      without: [LOGS, ...SOLUTIONS, ...request.files.map(({ target }) => target)],
      ...(request.only && { only: request.only }),
      untracked: true,
      toolchain: true,
      // Servers that the agent left running can be reached here; nothing else of its environment can be seen.
      ...(terminal && { network: terminal }),
      signal,
    });
    try {
      const setupMs = performance.now() - startedAt;
      const { notes, restored } = place.facts;
      const judged = redacted(await judge(place, request, signal), terminal?.redact);
      return { ...judged, notes, ...(restored && { restored }), setupMs };
    } finally {
      await place.destroy();
    }
  };
}

const NOTHING_LEFT =
  "nothing is left to judge: the run's environment is gone, and no snapshot of its files was kept (snapshots are off, or there was too much to keep)";

function unjudged(): Verification {
  const ended = { timedOut: false, exitCode: 0, output: "", files: {}, notes: [], setupMs: 0, durationMs: 0 };
  return { ...ended, rewards: null, reason: NOTHING_LEFT };
}

type Judged = Omit<Verification, "setupMs" | "notes">;

/** Removes secrets, which the agent's own files may hold and a snapshot of them would not. */
function redacted(judged: Judged, redact: Environment["redact"]): Judged {
  if (!redact) return judged;
  const output = Buffer.from(redact(Buffer.from(judged.output))).toString("utf8");
  const files = Object.entries(judged.files).map(([path, content]) => [path, redact(content)] as const);
  return { ...judged, output, files: Object.fromEntries(files) };
}

async function judge(place: Environment, request: VerifyRequest, signal: AbortSignal): Promise<Judged> {
  const { command, user } = request;
  // Another user than root cannot prepare the directories.
  if (user !== undefined) await prepareAsRoot(place, signal);
  const { code, stdout, stderr, timedOut, durationMs } = await place.run({
    command: user === undefined ? ["/bin/sh", "-c", `${PREPARE} && exec "$@"`, "sh", ...command] : command,
    env: { ...request.env, [MISSING_FILE_VARIABLE]: `${LOGS}/${MISSING_FILE}` },
    timeoutMs: request.timeoutMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    signal,
  });
  signal.throwIfAborted();
  const files = await logsOf(place);
  const output = stderr === "" ? stdout : `${stdout}\n${stderr}`;
  const ended = { exitCode: code, output, files, timedOut, durationMs };
  if (!timedOut) return { ...ended, ...distrustFailures(rewardsOf(request.reward, ended), files) };
  const reason = `the tests took longer than ${request.timeoutMs / 1000} s (limit: verifier)`;
  return { ...ended, rewards: null, reason };
}

async function prepareAsRoot(place: Environment, signal: AbortSignal): Promise<void> {
  const command = ["/bin/sh", "-c", PREPARE];
  const { code, stderr } = await place.run({
    command,
    user: "root",
    cwd: "/",
    timeoutMs: PREPARE_MS,
    signal,
  });
  if (code !== 0) throw new Error(`the environment could not be prepared for the verifier: ${stderr.trim()}`);
}

/** Failed tests that lacked a package prove nothing. The lack is read from a file, because the agent's programs can write to their output. */
function distrustFailures(found: Rewards, files: Verification["files"]): Rewards {
  const missing = findMissing(Buffer.from(files[MISSING_FILE] ?? []).toString("utf8"));
  if (missing.length === 0 || (found.rewards && mainReward(found.rewards) >= 1)) return found;
  return { rewards: null, reason: tellMissing("the tests need", missing) };
}

async function logsOf(place: Environment): Promise<Record<string, Uint8Array>> {
  const folder = await mkdtemp(join(tmpdir(), "proctor-verifier-"));
  try {
    await place.copyOut(LOGS, folder, MAX_LOGS);
    const files: Record<string, Uint8Array> = {};
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || (await stat(path)).size > MAX_FILE_BYTES) continue;
      files[relative(folder, path)] = await readFile(path);
    }
    return files;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
