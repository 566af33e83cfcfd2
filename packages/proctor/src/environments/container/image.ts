// The image that a container is made of: found, pulled when the engine does not have it, and asked what it says about itself.
import type Docker from "dockerode";
import { ProctorError } from "../../core/errors.ts";
import { reasonOf, statusOf, type Engine } from "./engine.ts";

export interface ImageFacts {
  /** The image that containers are created from. */
  id: string;
  workdir?: string;
  user?: string;
  env: Record<string, string>;
  /** Directories of the image's volumes, which are not part of the container's own files. */
  volumes: string[];
}

const TAIL_CHARACTERS = 10_000;

export async function findImage(engine: Engine, name: string, signal: AbortSignal): Promise<ImageFacts> {
  try {
    return await inspectImage(engine.docker, name);
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
  }
  try {
    await pull(engine.docker, name, signal);
    return await inspectImage(engine.docker, name);
  } catch (error) {
    signal.throwIfAborted();
    throw new ProctorError(
      "ENVIRONMENT_UNAVAILABLE",
      `${engine.name} has no image ${name}, and it could not be pulled: ${reasonOf(error)}\n` +
        `check the name, or get it first: ${engine.name} pull ${name}`,
    );
  }
}

export async function inspectImage(docker: Docker, name: string): Promise<ImageFacts> {
  const { Id: id, Config: config } = await docker.getImage(name).inspect();
  const { WorkingDir: workdir, User: user, Env: env, Volumes: volumes } = config;
  return {
    id,
    ...(workdir && workdir !== "/" && { workdir }),
    ...(user && { user }),
    env: Object.fromEntries(
      (env ?? []).map((entry) => [entry.split("=", 1)[0] ?? "", entry.slice(entry.indexOf("=") + 1)]),
    ),
    volumes: Object.keys(volumes ?? {}),
  };
}

async function pull(docker: Docker, name: string, signal: AbortSignal): Promise<void> {
  // Without a tag an engine would pull all of them.
  const full = /[:@][^/]+$/.test(name) ? name : `${name}:latest`;
  const progress = await docker.pull(full, { abortSignal: signal });
  // An error is one of the lines, and not the status of the answer.
  let text = "";
  for await (const piece of progress) text = (text + String(piece)).slice(-TAIL_CHARACTERS);
  const failure = /"error":("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (failure !== undefined) throw new Error(String(JSON.parse(failure)));
}
