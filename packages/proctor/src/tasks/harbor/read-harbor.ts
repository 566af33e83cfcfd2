// A task directory of Harbor or Terminal-Bench 2: task.toml, instruction.md, environment/, solution/, tests/.
import { basename, join } from "node:path";
import { quoteWord } from "../../core/command-line.ts";
import type { EnvironmentLimits, EnvironmentOptions } from "../../core/environment.ts";
import type { JsonObject } from "../../core/json.ts";
import { problemsError } from "../../runtime/yaml/problem.ts";
import { readText } from "../../runtime/yaml/read-text.ts";
import { exists } from "../../runtime/files/exists.ts";
import { loadToml } from "../load-toml.ts";
import type { TestSolution } from "../../suites/suite.ts";
import type { TaskVerifier, TerminalTask } from "../terminal-task.ts";
import { refusals } from "./refusals.ts";
import { taskFile, type TaskFile } from "./task-file.ts";

const AGENT_SECONDS = 600;
const VERIFIER_SECONDS = 600;

/** Throws TASK_INVALID with everything that is wrong or not supported. `shown` is the directory as the user wrote it. */
export async function readHarbor(dir: string, shown: string): Promise<TerminalTask> {
  const file = await loadToml(join(dir, "task.toml"), join(shown, "task.toml"), taskFile);
  const problems = await refusals(dir, shown, file);
  if (problems.length > 0) throw problemsError("TASK_INVALID", problems);
  const instruction = await readText(join(dir, "instruction.md"), join(shown, "instruction.md"));
  const solution = await solutionOf(dir, file);
  const { agent = {}, verifier = {}, metadata = {}, task } = file;
  const user = verifier.user ?? agent.user;
  const own = (isSeparate(file) && verifier.environment) || {};
  return {
    name: basename(dir),
    dir,
    format: "harbor",
    instruction,
    environment: await environmentOf(dir, file),
    terminal: {},
    timeoutSeconds: agent.timeout_sec ?? AGENT_SECONDS,
    verifier: {
      files: [{ source: join(dir, "tests"), target: "/tests" }],
      command: ["bash", "/tests/test.sh"],
      env: { ...own.env, ...verifier.env },
      ...(user !== undefined && { user: String(user) }),
      ...(own.workdir !== undefined && { workdir: own.workdir }),
      timeoutSeconds: verifier.timeout_sec ?? VERIFIER_SECONDS,
      reward: "files",
      ...(isSeparate(file) && { separate: await separateOf(dir, file) }),
    },
    ...(solution && { solution }),
    tags: [...texts(metadata["tags"]), ...(task?.keywords ?? [])],
    // TOML is JSON except for dates, which become texts.
    metadata: JSON.parse(JSON.stringify({ ...metadata, ...(task && { task: task.name }) })) as JsonObject,
  };
}

/** As in Harbor, a table [verifier.environment] without a mode means a separate environment. */
function isSeparate({ verifier = {} }: TaskFile): boolean {
  return (verifier.environment_mode ?? (verifier.environment ? "separate" : "shared")) === "separate";
}

/** The Dockerfile of a separate verifier is next to its tests. */
async function separateOf(
  dir: string,
  { artifacts = [], verifier = {} }: TaskFile,
): Promise<NonNullable<TaskVerifier["separate"]>> {
  const tests = join(dir, "tests");
  const limits = limitsOf(verifier.environment ?? {});
  return {
    ...((await exists(join(tests, "Dockerfile"))) && { build: tests }),
    artifacts: artifacts.map((artifact) => (typeof artifact === "string" ? artifact : artifact.source)),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
}

async function environmentOf(dir: string, file: TaskFile): Promise<EnvironmentOptions> {
  const { environment = {}, agent = {} } = file;
  const { build_timeout_sec: limit, docker_image: image, workdir, env } = environment;
  const context = join(dir, "environment");
  const hasFile = await exists(join(context, "Dockerfile"));
  const mode = agent.network_mode ?? environment.network_mode;
  const hosts = agent.allowed_hosts ?? environment.allowed_hosts;
  return {
    ...(hasFile ? { build: context } : image === undefined ? {} : { image }),
    ...(workdir !== undefined && { workdir }),
    ...(agent.user !== undefined && { user: String(agent.user) }),
    ...(env && Object.keys(env).length > 0 && { env }),
    limits: limitsOf(environment),
    // A network is granted by whoever runs the task, not by the task; a list of hosts is narrow enough.
    ...(mode === "allowlist" && { network: "allow-list" as const, allow_hosts: hosts ?? [] }),
    ...(limit !== undefined && { build_timeout_seconds: limit }),
  };
}

function limitsOf(environment: NonNullable<TaskFile["environment"]>): EnvironmentLimits {
  const memory = environment.memory_mb ?? megabytes(environment.memory);
  const disk = environment.storage_mb ?? megabytes(environment.storage);
  return {
    ...(memory !== undefined && { memory_mb: memory }),
    ...(disk !== undefined && { disk_mb: disk }),
    ...(environment.cpus !== undefined && { cpus: environment.cpus }),
  };
}

function megabytes(size: string | undefined): number | undefined {
  if (size === undefined) return undefined;
  const unit = { G: 1024, M: 1, K: 1 / 1024 }[size.trim().slice(-1).toUpperCase()] ?? 1;
  return Math.max(1, Math.floor(Number.parseFloat(size) * unit));
}

async function solutionOf(dir: string, { solution = {} }: TaskFile): Promise<TestSolution | undefined> {
  const folder = join(dir, "solution");
  if (!(await exists(join(folder, "solve.sh")))) return undefined;
  const variables = Object.entries(solution.env ?? {}).map(([name, value]) => `${name}=${quoteWord(value)} `);
  return {
    files: [{ source: folder, target: "/solution" }],
    commands: [`${variables.join("")}bash /solution/solve.sh`],
  };
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}
