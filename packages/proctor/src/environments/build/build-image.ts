// Builds the image of a Dockerfile without an engine: onto the root, as layers that an overlay takes. What cannot be satisfied is
// refused with its line; what is known is only hashed.
import { createHash } from "node:crypto";
import { readFile, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { prepareToolchain, type Toolchain } from "../toolchain/toolchain.ts";
import type { BuildRequest, BuiltImage } from "./build-request.ts";
import { buildStage, type Building } from "./build-stage.ts";
import { readIgnoreRules } from "../ignore-rules.ts";
import { openLayerStore } from "./layer-store.ts";
import { parseDockerfile } from "./parse-dockerfile.ts";
import { planBuild } from "./plan-build.ts";
import type { BuildPlan, Stage } from "./plan.ts";
import { problem } from "./problem.ts";
import { readRoot } from "./root.ts";
import { sandboxes } from "./sandbox.ts";

export type { BuildRequest, BuiltImage } from "./build-request.ts";

const WORKDIR = "/app";
/** Milliseconds beyond the build's time limit. A RUN that is out of time fails by itself, with its line; this is for all other steps. */
const GRACE_MS = 5000;

export async function buildImage(request: BuildRequest): Promise<BuiltImage> {
  const { file = "Dockerfile", timeoutMs } = request;
  const deadline = Date.now() + timeoutMs;
  const timeout = AbortSignal.timeout(timeoutMs + GRACE_MS);
  const signal = AbortSignal.any([request.signal, timeout]);
  try {
    return await build(request, signal, () => Math.max(1, deadline - Date.now()));
  } catch (error) {
    if (timeout.aborted && !request.signal.aborted && !isRefusal(error)) {
      const seconds = Math.round(timeoutMs / 1000);
      throw problem(
        { file, line: 1 },
        `the build took longer than ${seconds} s`,
        "give it more time, or make it do less",
      );
    }
    throw error;
  }
}

async function build(
  request: BuildRequest,
  signal: AbortSignal,
  timeLeftMs: () => number,
): Promise<BuiltImage> {
  const { file = "Dockerfile", network, stateDir, args = {} } = request;
  const [source, dir, root] = await Promise.all([
    read(request.dir, file),
    realpath(request.dir),
    readRoot(request.root),
  ]);
  const plan = planBuild(await parseDockerfile(source, file), { args, network, has: root.has });
  let toolchain: Promise<Toolchain> | undefined;
  const building: Building = {
    context: { dir, ignore: readIgnoreRules(await readIgnore(dir, file)) },
    network,
    rootIdentity: root.identity,
    store: await openLayerStore(stateDir),
    openSandbox: sandboxes(request, signal),
    toolchain: () => (toolchain ??= prepareToolchain({ stateDir })),
    timeLeftMs,
    signal,
    note: request.note ?? (() => undefined),
    stages: new Map(),
  };
  for (const stage of neededStages(plan.stages))
    building.stages.set(stage.index, await buildStage(stage, building));

  const last = plan.stages.at(-1);
  const built = last && building.stages.get(last.index);
  if (!last || !built) throw problem({ file, line: 1 }, "there is no FROM", "begin with FROM");
  const { env, workdir = WORKDIR, user } = last.state;
  const notes = [
    ...new Set([
      ...plan.notes.map((note) => withRoot(note, root.name)),
      ...pythonNotes(plan, root.python),
      ...built.notes,
    ]),
  ];
  return {
    hash: createHash("sha256")
      .update(JSON.stringify([built.hash, env, workdir, user ?? ""]))
      .digest("hex"),
    layers: built.layers,
    workdir,
    ...(user !== undefined && { user }),
    env,
    needsUsers: plan.needsUsers,
    notes,
  };
}

/** Returns the last stage and those that it is made from or copies from. */
function neededStages(stages: readonly Stage[]): Stage[] {
  const needed = new Set<number>();
  const visit = (index: number): void => {
    const stage = stages[index];
    if (stage === undefined || needed.has(index)) return;
    if ("stage" in stage.base) visit(stage.base.stage);
    for (const step of stage.steps)
      if (step.kind === "copy" && step.from && "stage" in step.from) visit(step.from.stage);
    needed.add(index);
  };
  visit(stages.length - 1);
  return stages.filter(({ index }) => needed.has(index));
}

async function read(dir: string, file: string): Promise<string> {
  try {
    return await readFile(join(dir, file), "utf8");
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : String(error);
    throw problem({ file, line: 1 }, `${reason} in ${dir}`, "name the directory that holds it");
  }
}

/** Reads the ignore file. One for the Dockerfile itself is preferred to that of the directory. */
async function readIgnore(dir: string, file: string): Promise<string> {
  for (const name of [`${file}.dockerignore`, ".dockerignore"]) {
    const text = await readFile(join(dir, name), "utf8").catch(() => undefined);
    if (text !== undefined) return text;
  }
  return "";
}

function withRoot(note: string, name: string): string {
  return note.replace(/^the root stands in/u, `the root (${name}) stands in`);
}

function pythonNotes({ stages }: BuildPlan, python: string | undefined): string[] {
  return stages.flatMap(({ base }) => {
    if (!("image" in base) || base.image.family !== "python" || python === undefined) return [];
    const asked = /:(3\.\d+)/u.exec(base.reference)?.[1];
    return asked === undefined || asked === python
      ? []
      : [`Python ${asked} asked for, ${python} of the root serves`];
  });
}

function isRefusal(error: unknown): boolean {
  return ProctorError.is(error) && error.code === "BUILD_FAILED";
}
