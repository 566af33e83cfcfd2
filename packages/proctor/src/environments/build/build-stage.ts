// Builds one stage: step by step, each a layer over those before it, taken from the store where it is known.
import { createHash } from "node:crypto";
import { realpath } from "node:fs/promises";
import { join, sep } from "node:path";
import type { Environment, Mount } from "../../core/ports/environments.ts";
import { shimsHash, type Toolchain } from "../toolchain/toolchain.ts";
import { hashSources } from "./context/hash-sources.ts";
import { listSources, type Context, type Source } from "./context/list-sources.ts";
import type { LayerStore } from "./layer-store.ts";
import { linkPython } from "./link-python.ts";
import { removeMountPoints } from "./mount-points.ts";
import type { CopyStep, RunStep, Stage, Step } from "./plan.ts";
import { problem } from "./problem.ts";
import type { OpenSandbox } from "./sandbox.ts";
import { copyBetween } from "./steps/copy-between.ts";
import { copyStep } from "./steps/copy-step.ts";
import { runStep } from "./steps/run-step.ts";
import { uvSources } from "./uv-sources.ts";

interface BuiltStage {
  hash: string;
  /** Directories of the layers, the topmost first. */
  layers: string[];
  notes: string[];
}

export interface Building {
  context: Context;
  network: "none" | "host";
  rootIdentity: string;
  store: LayerStore;
  openSandbox: OpenSandbox;
  toolchain: () => Promise<Toolchain>;
  /** Returns the milliseconds that are left of the whole build's time. */
  timeLeftMs: () => number;
  signal: AbortSignal;
  note: (text: string) => void;
  /** The stages that are built already, by index. */
  stages: Map<number, BuiltStage>;
}

export async function buildStage(stage: Stage, building: Building): Promise<BuiltStage> {
  let built = await beginStage(stage, building);
  for (const unit of units(stage.steps)) {
    building.signal.throwIfAborted();
    const parts = await Promise.all(unit.map((step) => prepare(step, building)));
    const hash = digest([built.hash, ...parts.map(({ identity }) => identity)]);
    const { layers, notes } = await building.store.get(hash, built.layers, async (upper, below) => {
      const [first] = unit;
      if (first)
        building.note(`${first.at.file}:${first.at.line}: ${first.at.keyword} ${first.at.text.slice(0, 80)}`);
      return perform(unit, parts, { upper, below }, building);
    });
    built = { hash, layers, notes: [...built.notes, ...notes] };
  }
  return built;
}

async function beginStage(
  { base }: Stage,
  { stages, rootIdentity, store, openSandbox, signal }: Building,
): Promise<BuiltStage> {
  if ("stage" in base) {
    const parent = stages.get(base.stage);
    if (parent) return parent;
  }
  const bare = { hash: digest(["root", rootIdentity]), layers: [], notes: [] };
  if (!("image" in base) || base.image.family !== "python") return bare;
  const hash = digest([bare.hash, linkPython.identity]);
  const layer = await store.get(hash, [], async (upper) => {
    const environment = await openSandbox({ layers: [], upper });
    try {
      await linkPython(environment, signal);
    } finally {
      await environment.destroy();
    }
    return [];
  });
  return { hash, ...layer };
}

/** Groups the steps by layer. Steps that only place files share one: they are fast to repeat, and the number of layers is limited. */
function units(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  for (const step of steps) {
    const last = groups.at(-1);
    if (step.kind !== "run" && last && last[0]?.kind !== "run") last.push(step);
    else groups.push([step]);
  }
  return groups;
}

/** The key of a step, and what the step needs on this machine. */
interface Part {
  identity: unknown;
  sources: Source[];
  mounts: Mount[];
}

async function prepare(step: Step, building: Building): Promise<Part> {
  switch (step.kind) {
    case "workdir":
      return { identity: ["WORKDIR", step.path], sources: [], mounts: [] };
    case "copy":
      return prepareCopy(step, building);
    case "run":
      return prepareRun(step, building);
  }
}

async function prepareCopy(step: CopyStep, { context, stages, signal }: Building): Promise<Part> {
  const { target, owner, mode, unpack, from } = step;
  const how = ["COPY", target, owner ?? null, mode ?? null, unpack];
  if (from && "stage" in from) {
    return { identity: [...how, stages.get(from.stage)?.hash, step.sources], sources: [], mounts: [] };
  }
  const lists = from
    ? []
    : await Promise.all(step.sources.map((pattern) => listSources(context, pattern, step.at)));
  const inline = step.inline.map(({ name, content }): Source => {
    const entry = {
      path: "",
      type: "file" as const,
      mode: 0o644,
      sizeBytes: Buffer.byteLength(content),
      mtimeMs: 0,
      content,
    };
    return { name, type: "file", entries: [entry] };
  });
  const sources = from ? uvSources(step) : [...lists.flat(), ...inline];
  if (sources.length > 1 && !target.endsWith("/") && target !== "/") {
    throw problem(
      step.at,
      `${step.at.keyword} of several files to ${target}, which is no directory`,
      "end the target with /",
    );
  }
  return { identity: [...how, await hashSources(sources, signal)], sources, mounts: [] };
}

async function prepareRun(step: RunStep, { context, network, signal }: Building): Promise<Part> {
  const mounts: Mount[] = [];
  const seen: string[] = [];
  for (const { source, target } of step.binds) {
    const real = await realpath(join(context.dir, source)).catch(() => undefined);
    if (real === undefined || (real !== context.dir && !real.startsWith(context.dir + sep))) {
      throw problem(step.at, `RUN --mount: there is no ${source} in the context`, "create it there");
    }
    mounts.push({ source: real, target });
    seen.push(target, await hashSources(await listSources(context, source, step.at), signal));
  }
  const env = Object.entries(step.env).sort(([a], [b]) => (a < b ? -1 : 1));
  const programs = network === "none" ? shimsHash() : "network";
  return {
    identity: ["RUN", step.command, env, step.cwd, step.user ?? null, seen, programs],
    sources: [],
    mounts,
  };
}

async function perform(
  unit: readonly Step[],
  parts: readonly Part[],
  { upper, below }: { upper: string; below: readonly string[] },
  building: Building,
): Promise<string[]> {
  const { signal, openSandbox } = building;
  const runs = unit.some(({ kind }) => kind === "run");
  const toolchain = runs && building.network === "none" ? await building.toolchain() : undefined;
  const mounts = [...parts.flatMap((part) => part.mounts), ...(toolchain?.mounts ?? [])];
  const environment = await openSandbox({ layers: below, upper, mounts });
  const notes: string[] = [];
  try {
    for (const [index, step] of unit.entries()) {
      signal.throwIfAborted();
      if (step.kind === "run") {
        notes.push(
          ...(await runStep(environment, step, { toolchain, timeoutMs: building.timeLeftMs(), signal })),
        );
      } else if (step.kind === "workdir") await makeDirectory(environment, step.path, step);
      else await copy(environment, step, parts[index]?.sources ?? [], building);
    }
  } finally {
    await environment.destroy();
  }
  await removeMountPoints(upper, mounts);
  return notes;
}

async function copy(
  environment: Environment,
  step: CopyStep,
  sources: readonly Source[],
  building: Building,
): Promise<void> {
  const { stages, openSandbox, signal } = building;
  const from = step.from && "stage" in step.from ? stages.get(step.from.stage) : undefined;
  if (from === undefined) return copyStep(environment, step, sources, signal);
  const other = await openSandbox({ layers: from.layers });
  try {
    await copyBetween(other, environment, step, signal);
  } finally {
    await other.destroy();
  }
}

async function makeDirectory(environment: Environment, path: string, { at }: Step): Promise<void> {
  const { code, stderr } = await environment.run({
    command: ["mkdir", "-p", "--", path],
    cwd: "/",
    timeoutMs: 60_000,
  });
  if (code !== 0) throw problem(at, `WORKDIR ${path}: ${stderr.trim()}`, "name a directory that can be made");
}

function digest(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex");
}
