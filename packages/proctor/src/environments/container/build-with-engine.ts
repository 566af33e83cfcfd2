// Builds a Dockerfile with the container engine itself, which also keeps the results of steps. What RUN starts has no network unless
// somebody granted it.
import { createHash, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { buildFailure } from "./build-failure.ts";
import { readBuildOutput } from "./build-output.ts";
import { endBuild, MARK_ARGUMENT } from "./end-build.ts";
import { reasonOf, type Engine } from "./engine.ts";
import { readIgnoreRules, type IgnoreVerdict } from "../ignore-rules.ts";
import { inspectImage, type ImageFacts } from "./image.ts";
import { packTree } from "../archive/pack-tree.ts";

interface EngineBuild {
  /** Absolute path of a directory with a Dockerfile. */
  dir: string;
  /** Network of RUN steps. */
  network?: "none" | "host";
  timeoutMs: number;
  signal: AbortSignal;
}

const DOCKERFILE = "Dockerfile";
const IGNORE_FILE = ".dockerignore";
const ALWAYS_SENT = new Set([DOCKERFILE, IGNORE_FILE]);

export async function buildWithEngine(engine: Engine, request: EngineBuild): Promise<ImageFacts> {
  const { dir, network = "none", timeoutMs } = request;
  const file = join(dir, DOCKERFILE);
  const dockerfile = await readFile(file, "utf8").catch((error: unknown) => {
    throw new ProctorError(
      "BUILD_FAILED",
      `${file} cannot be read\na directory that is built has a Dockerfile`,
      { cause: error },
    );
  });
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([request.signal, limit]);
  const verdict = await ignoreRules(dir);
  const context = await packTree(dir, { name: "", signal, choose: verdict });
  const mark = `proctor-build-${randomUUID()}`;
  let trouble: { message: string; step: string | undefined; output: string };
  try {
    const answer = await engine.docker.buildImage(context, {
      // A name keeps the image from being pruned; another build of the same directory takes it over.
      t: `proctor-build:${createHash("sha256").update(dir).digest("hex").slice(0, 16)}`,
      dockerfile: DOCKERFILE,
      ...networkOf(engine, network),
      rm: true,
      forcerm: true,
      buildargs: { [MARK_ARGUMENT]: mark },
      abortSignal: signal,
    });
    const outcome = await readBuildOutput(answer, signal);
    if ("image" in outcome) return await inspectImage(engine.docker, outcome.image);
    trouble = outcome;
  } catch (error) {
    if (signal.aborted && engine.local) await endBuild(mark);
    request.signal.throwIfAborted();
    const message = limit.aborted ? `it took more than ${timeoutMs / 1000} s` : reasonOf(error);
    trouble = { message, step: undefined, output: "" };
  } finally {
    context.destroy();
  }
  throw await buildFailure({ file, dockerfile, ...trouble });
}

/** Returns the network options. podman ignores Docker's names, and needs the numbers and namespaces that its own client sends. */
function networkOf({ name }: Engine, network: "none" | "host"): Record<string, string> {
  if (name === "docker") return { networkmode: network };
  const host = network === "host";
  return {
    networkmode: host ? "0" : "1",
    nsoptions: JSON.stringify([{ Name: "network", Host: host, Path: "" }]),
  };
}

async function ignoreRules(dir: string): Promise<(path: string) => IgnoreVerdict> {
  const text = await readFile(join(dir, IGNORE_FILE), "utf8").catch(() => "");
  const rules = readIgnoreRules(text);
  return (path) => (ALWAYS_SENT.has(path) ? "keep" : rules(path));
}
