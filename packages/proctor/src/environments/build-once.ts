// Many trials of one task start at once: its image is built by the first of them, and the others wait for it.
import type { BuildRequest, BuiltImage } from "./build/build-image.ts";

/** Builds an image; the directory of its layers is already bound. */
export type BuildImage = (request: Omit<BuildRequest, "stateDir">) => Promise<BuiltImage>;

export function buildOnce(build: BuildImage): BuildImage {
  const underWay = new Map<string, Promise<BuiltImage>>();

  return async function once(request): Promise<BuiltImage> {
    const key = JSON.stringify([request.dir, request.root ?? "", request.network]);
    for (;;) {
      const other = underWay.get(key);
      if (other === undefined) break;
      // The other build may have been stopped, which is no reason not to build here.
      await other.catch(() => undefined);
      request.signal.throwIfAborted();
    }
    const own = build(request);
    underWay.set(key, own);
    try {
      return await own;
    } finally {
      underWay.delete(key);
    }
  };
}
