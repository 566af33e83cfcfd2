// What the engine that was found can give, or why there is none.
import type { EnvironmentReport } from "../../core/ports/environments.ts";
import type { Engine, NoEngine } from "./engine.ts";

export function probe(engine: Engine | NoEngine): EnvironmentReport {
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
