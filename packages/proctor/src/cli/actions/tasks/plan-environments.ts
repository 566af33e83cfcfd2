// What would fail to build or to open, before anything is run: each task's environment is made and destroyed again. What is built stays
// in the cache, where the run finds it.
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import type { Environments } from "../../../core/ports/environments.ts";
import type { TerminalTask } from "../../../tasks/terminal-task.ts";
import type { EnvironmentOptions } from "../../../core/environment.ts";

/** Number of builds at once. Each uses this machine's processors and disk. */
const AT_ONCE = 2;

interface PlanDeps {
  environments: Environments;
  /** Options that override what each task says. */
  options: EnvironmentOptions;
  /** Called after each task. */
  done: () => void;
  signal: AbortSignal;
}

/** Maps each task whose environment cannot be had to the reason. */
export async function planEnvironments(
  tasks: readonly TerminalTask[],
  deps: PlanDeps,
): Promise<Map<TerminalTask, ProctorError>> {
  const problems = new Map<TerminalTask, ProctorError>();
  const queue = [...tasks.entries()];
  async function work(): Promise<void> {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [index, task] = next;
      deps.signal.throwIfAborted();
      const problem = await tryOut(task, `plan-${process.pid}-${index}`, deps);
      if (problem) problems.set(task, problem);
      deps.done();
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return problems;
}

async function tryOut(
  { environment }: TerminalTask,
  id: string,
  { environments, options, signal }: PlanDeps,
): Promise<ProctorError | undefined> {
  try {
    const place = await environments.open({
      id,
      role: "terminal",
      options: {
        profile: "auto",
        ...environment,
        ...options,
        limits: { ...environment.limits, ...options.limits },
      },
      untracked: true,
      signal,
    });
    await place.destroy();
    return undefined;
  } catch (error) {
    if (ProctorError.is(error)) return error;
    throw error;
  }
}

interface MissingPackages extends JsonObject {
  /** Package manager that was asked: apt, pip or npm. */
  kind: string;
  names: string[];
  /** Number of tasks that need one of the packages. */
  tasks: number;
}

const INSTALL: Readonly<Record<string, string>> = {
  apt: "apt-get install",
  pip: "pip install",
  npm: "npm install -g",
};

/** Gathers the packages that builds lacked on this machine. */
export function missingPackages(problems: Iterable<ProctorError>): MissingPackages[] {
  const kinds = new Map<string, { names: Set<string>; tasks: number }>();
  for (const { details } of problems) {
    if (!isJsonObject(details) || !Array.isArray(details["missing"])) continue;
    const { kind, missing } = details;
    const names = missing.flatMap((name) => (typeof name === "string" && /^\S+$/.test(name) ? [name] : []));
    if (typeof kind !== "string" || names.length === 0) continue;
    const known = kinds.get(kind) ?? { names: new Set(), tasks: 0 };
    kinds.set(kind, { names: new Set([...known.names, ...names]), tasks: known.tasks + 1 });
  }
  return [...kinds].map(([kind, { names, tasks }]) => ({ kind, names: [...names].toSorted(), tasks }));
}

/** Returns a command such as `apt-get install jq nginx  # needed by 3 tasks`. */
export function installLine({ kind, names, tasks }: MissingPackages): string {
  const command = INSTALL[kind] ?? `${kind} install`;
  return `${command} ${names.join(" ")}  # needed by ${tasks} ${tasks === 1 ? "task" : "tasks"}`;
}
