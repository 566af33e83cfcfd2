// Environments that are containers of Docker or podman. The engine is looked for when the first is asked for.
import { mkdir } from "node:fs/promises";
import type { EnvironmentReport } from "../../core/ports/environments.ts";
import { removeAbandoned } from "../../runtime/files/owned-names.ts";
import type { Provider } from "../provider.ts";
import { refuse } from "../refuse.ts";
import { findEngine, type Engine, type NoEngine } from "./engine.ts";
import { openContainer } from "./open-environment.ts";
import { ID_LABEL, isOrphan } from "./labels.ts";
import { prepareImages } from "./prepare-image.ts";
import { removeContainer } from "./remove-container.ts";

export interface ContainerSetting {
  /** For what is ours alone; made here. */
  stateDir: string;
  /** For RUN in builds: `none` unless said. */
  buildNetwork?: "none" | "host";
  /** Where the engine is looked for; the process's own unless said. */
  env?: NodeJS.ProcessEnv;
}

export function createContainerProvider({
  stateDir,
  buildNetwork = "none",
  env,
}: ContainerSetting): Provider {
  let found: Promise<Engine | NoEngine> | undefined;
  const imageFor = prepareImages(buildNetwork);

  async function look(): Promise<Engine | NoEngine> {
    const engine = await (found ??= findEngine(env));
    // It may be started meanwhile.
    if ("reason" in engine) found = undefined;
    return engine;
  }

  return {
    kind: "container",
    async probe() {
      return report(await look());
    },
    async open(request) {
      const engine = await look();
      if ("reason" in engine) throw refuse(engine.reason, engine.advice);
      await mkdir(stateDir, { recursive: true, mode: 0o700 });
      return openContainer({ engine, request, stateDir, image: await imageFor(engine, request) });
    },
    async sweep() {
      await removeAbandoned(stateDir);
      const engine = await look();
      if ("reason" in engine) return;
      const all = await engine.docker.listContainers({ all: true, filters: { label: [ID_LABEL] } });
      await Promise.all(
        all.filter(({ Labels: labels }) => isOrphan(labels)).map(({ Id: id }) => removeContainer(engine, id)),
      );
    },
  };
}

function report(engine: Engine | NoEngine): EnvironmentReport {
  const kind = "container";
  if ("reason" in engine) {
    return {
      kind,
      available: false,
      detail: engine.reason,
      advice: engine.advice,
      profiles: [],
      networks: [],
      limits: [],
    };
  }
  const { name, version, address, local, rootless, limits } = engine;
  const names = { memory: "memory_mb", processes: "processes", disk: "disk_mb", cpus: "cpus" } as const;
  return {
    kind,
    available: true,
    detail: `${name} ${version}${rootless ? ", rootless" : ""} at ${address}${local ? "" : ", on another machine"}`,
    advice: local ? [] : ["an engine of this machine could also give mounts, loopback and allow-list"],
    profiles: ["strict", "multi-user"],
    networks: local ? ["none", "loopback", "allow-list", "host"] : ["none", "host"],
    limits: [
      ...(["memory", "processes", "disk", "cpus"] as const)
        .filter((limit) => limits[limit])
        .map((limit) => names[limit]),
      "output_mb",
    ],
  };
}
