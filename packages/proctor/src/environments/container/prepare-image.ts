// The image of a request: named, or built from its directory. Many trials of one task begin at once: one of them builds, the others wait.
import type { PreparedEnvironment } from "../provider.ts";
import { refuse } from "../refuse.ts";
import { buildWithEngine } from "./build-with-engine.ts";
import type { Engine } from "./engine.ts";
import { findImage, type ImageFacts } from "./image.ts";

const BUILD_SECONDS = 600;

export interface PreparedImage extends ImageFacts {
  /** `EnvironmentFacts.root`. */
  rootName: string;
}

export function prepareImages(
  network: "none" | "host",
): (engine: Engine, request: PreparedEnvironment) => Promise<PreparedImage> {
  const underWay = new Map<string, Promise<unknown>>();

  async function build(
    engine: Engine,
    dir: string,
    { options, signal }: PreparedEnvironment,
  ): Promise<ImageFacts> {
    // The engine caches the results of steps, so the build after waiting is short.
    for (let other = underWay.get(dir); other !== undefined; other = underWay.get(dir)) {
      await other.catch(() => undefined);
      signal.throwIfAborted();
    }
    const timeoutMs = (options.build_timeout_seconds ?? BUILD_SECONDS) * 1000;
    const own = buildWithEngine(engine, { dir, network, timeoutMs, signal });
    underWay.set(dir, own);
    try {
      return await own;
    } finally {
      underWay.delete(dir);
    }
  }

  return async (engine, request) => {
    const { image, options, rootName, signal, layers, upper } = request;
    if (options.root !== undefined || layers.length > 0 || upper !== undefined) {
      throw refuse("a container is made of an image, not of directories of this machine", [
        "use the environment bwrap",
      ]);
    }
    if (image !== undefined) return { ...(await findImage(engine, image, signal)), rootName };
    if (options.build === undefined) {
      throw refuse("a container needs an image", [
        "name one (image), or a directory with a Dockerfile (build)",
      ]);
    }
    const built = await build(engine, options.build, request);
    return { ...built, rootName: `build:${built.id.replace(/^sha256:/, "").slice(0, 12)}` };
  };
}
