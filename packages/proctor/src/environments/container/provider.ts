// Environments that are containers of Docker or podman. The engine is looked for when the first is asked for.
import { mkdir } from "node:fs/promises";
import type { Provider } from "../provider.ts";
import { refuse } from "../refuse.ts";
import { findEngine, type Engine, type NoEngine } from "./engine.ts";
import { openEnvironment } from "./open-environment.ts";
import { prepareImages } from "./prepare-image.ts";
import { probe } from "./probe.ts";
import { sweep } from "./sweep.ts";

interface ContainerProviderOptions {
  /** Directory for the provider's own files, created when needed. */
  stateDir: string;
  /** The network that RUN has in builds; `none` by default. */
  buildNetwork?: "none" | "host";
  /** Variables that say where the engine is; those of this process by default. */
  env?: NodeJS.ProcessEnv;
}

export function createContainerProvider({
  stateDir,
  buildNetwork = "none",
  env,
}: ContainerProviderOptions): Provider {
  let found: Promise<Engine | NoEngine> | undefined;
  const imageFor = prepareImages(buildNetwork);

  async function look(): Promise<Engine | NoEngine> {
    const engine = await (found ??= findEngine(env));
    // An engine may be started meanwhile.
    if ("reason" in engine) found = undefined;
    return engine;
  }

  return {
    kind: "container",
    async probe() {
      return probe(await look());
    },
    async open(request) {
      const engine = await look();
      if ("reason" in engine) throw refuse(engine.reason, engine.advice);
      await mkdir(stateDir, { recursive: true, mode: 0o700 });
      return openEnvironment({ engine, request, stateDir, image: await imageFor(engine, request) });
    },
    async sweep() {
      await sweep(await look(), stateDir);
    },
  };
}
