// Creates a container, without what this engine turns out not to have; and, when somebody has to know how the image was, another one that
// is never started.
import { randomBytes } from "node:crypto";
import type Docker from "dockerode";
import type { PreparedEnvironment } from "../provider.ts";
import { createOptions, enforcedLimits, type ContainerOptions } from "./create-options.ts";
import { reasonOf, type Engine } from "./engine.ts";
import { labelsFor } from "./labels.ts";
import { removeContainer } from "./remove-container.ts";

interface CreateRequest {
  engine: Engine;
  request: PreparedEnvironment;
  image: string;
  workdir: string;
  /** Id of a container whose network the new one shares. */
  shared: string | undefined;
}

interface CreatedContainer {
  container: Docker.Container;
  enforced: string[];
  original: () => Promise<Docker.Container>;
  removeOriginal: () => Promise<void>;
}

export async function createContainer({
  engine,
  request,
  image,
  workdir,
  shared,
}: CreateRequest): Promise<CreatedContainer> {
  const { docker } = engine;
  const labels = labelsFor(request.id);
  const network =
    shared === undefined ? (request.options.network === "host" ? "host" : "none") : `container:${shared}`;
  const without = new Set<"disk" | "init">();
  const options: ContainerOptions = { request, engine, image, workdir, network, labels, without };
  const name = `proctor-${request.id}-${randomBytes(3).toString("hex")}`;
  let untouched: Promise<Docker.Container> | undefined;

  async function create(): Promise<Docker.Container> {
    for (;;) {
      try {
        return await docker.createContainer({ name, ...createOptions(options) });
      } catch (error) {
        const missing = whatIsMissing(reasonOf(error));
        if (missing === undefined || without.has(missing)) throw error;
        without.add(missing);
      }
    }
  }

  return {
    container: await create(),
    enforced: enforcedLimits(options),
    original: () =>
      (untouched ??= docker.createContainer({
        Image: image,
        Entrypoint: ["sleep"],
        Cmd: ["infinity"],
        Labels: labels,
        HostConfig: { NetworkMode: "none" },
      })),
    async removeOriginal() {
      if (untouched) await removeContainer(engine, (await untouched).id);
    },
  };
}

/** Returns the missing feature, which engines only name in words. */
function whatIsMissing(reason: string): "disk" | "init" | undefined {
  if (/storage-?opt|pquota|quota|not support.*size/i.test(reason)) return "disk";
  return /\binit\b.*(?:binary|not found|no such|stat )|catatonit|docker-init/i.test(reason)
    ? "init"
    : undefined;
}
