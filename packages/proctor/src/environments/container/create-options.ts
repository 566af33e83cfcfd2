// What an engine is told about a new container: nobody's network, limits, few capabilities, a main program that does nothing.
import type Docker from "dockerode";
import { DEFAULT_LIMITS, type EnvironmentLimits, type Profile } from "../../core/environment.ts";
import type { PreparedEnvironment } from "../provider.ts";
import type { Engine } from "./engine.ts";

export interface ContainerOptions {
  request: PreparedEnvironment;
  engine: Engine;
  image: string;
  workdir: string;
  /** `none`, `host` or `container:<id>`. */
  network: string;
  labels: Record<string, string>;
  /** Features that this engine turned out not to have. */
  without: ReadonlySet<"disk" | "init">;
}

/** Capabilities for one user: a root that owns everything can work in its own files and end its own processes. */
const STRICT = ["DAC_OVERRIDE", "FOWNER", "KILL", "NET_BIND_SERVICE"];
/** Docker's default capabilities without MKNOD and NET_RAW. */
const MULTI_USER = [
  "AUDIT_WRITE",
  "CHOWN",
  "DAC_OVERRIDE",
  "FOWNER",
  "FSETID",
  "KILL",
  "NET_BIND_SERVICE",
  "SETFCAP",
  "SETGID",
  "SETPCAP",
  "SETUID",
  "SYS_CHROOT",
];
const CAPABILITIES: Record<Profile, string[]> = { strict: STRICT, "multi-user": MULTI_USER };

const MB = 1024 * 1024;
/** Command that waits like `sleep infinity` and reaps orphans, where the engine has no init of its own. */
const OWN_INIT = ["/bin/sh", "-c", "trap 'exit 0' TERM; while :; do sleep 2147483 & wait $!; done"];

export function limitsOf({ options }: PreparedEnvironment): EnvironmentLimits {
  return { ...DEFAULT_LIMITS, ...options.limits };
}

/** Returns the names of the enforced limits. */
export function enforcedLimits({ request, engine, without }: ContainerOptions): string[] {
  const limits = limitsOf(request);
  const { memory, processes, cpus, disk } = engine.limits;
  return [
    ...(memory && limits.memory_mb !== undefined ? ["memory_mb"] : []),
    ...(processes && limits.processes !== undefined ? ["processes"] : []),
    // Where nothing but memory can be written, its size is the limit.
    ...(request.readOnly === true || (disk && !without.has("disk")) ? ["disk_mb"] : []),
    ...(cpus && limits.cpus !== undefined ? ["cpus"] : []),
    ...(limits.output_mb !== undefined ? ["output_mb"] : []),
  ];
}

export function createOptions(options: ContainerOptions): Docker.ContainerCreateOptions {
  const { request, engine, image, workdir, network, labels, without } = options;
  const { env, readOnly, profile } = request;
  const [entry = "", ...args] = without.has("init") ? OWN_INIT : ["sleep", "infinity"];
  return {
    Image: image,
    Entrypoint: [entry],
    Cmd: args,
    Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
    User: "0",
    WorkingDir: workdir,
    Labels: labels,
    // A health check of the image would be a program that was not requested.
    Healthcheck: { Test: ["NONE"] },
    HostConfig: {
      NetworkMode: network,
      Init: !without.has("init"),
      CapDrop: ["ALL"],
      CapAdd: CAPABILITIES[profile],
      SecurityOpt: profile === "strict" ? ["no-new-privileges"] : [],
      ...resources(options),
      ...(readOnly === true && { ReadonlyRootfs: true, Tmpfs: memoryFiles(engine, limitsOf(request)) }),
      Mounts: (request.mounts ?? []).map(({ source, target, writable }) => ({
        Type: "bind" as const,
        Source: source,
        Target: target,
        ReadOnly: writable !== true,
      })),
    },
  };
}

function resources({ request, engine, without }: ContainerOptions): Docker.HostConfig {
  const { memory_mb: memory, processes, cpus, disk_mb: disk } = limitsOf(request);
  const { limits } = engine;
  return {
    // The same number for memory and swap together: no swap.
    ...(limits.memory &&
      memory !== undefined && { Memory: Math.ceil(memory * MB), MemorySwap: Math.ceil(memory * MB) }),
    ...(limits.processes && processes !== undefined && { PidsLimit: processes }),
    ...(limits.cpus && cpus !== undefined && { NanoCpus: Math.round(cpus * 1e9) }),
    ...(limits.disk &&
      disk !== undefined &&
      request.readOnly !== true &&
      !without.has("disk") && { StorageOpt: { size: `${Math.ceil(disk)}M` } }),
  };
}

/** Directories that podman makes writable in a read-only container, unless something is mounted there. */
const PODMAN_WRITABLE = ["/run", "/var/tmp"];

function memoryFiles(
  { name }: Engine,
  { disk_mb: disk = DEFAULT_LIMITS.disk_mb }: EnvironmentLimits,
): Record<string, string> {
  const closed = name === "podman" ? PODMAN_WRITABLE : [];
  return {
    "/tmp": `rw,nosuid,nodev,mode=1777,size=${Math.ceil(disk)}m`,
    ...Object.fromEntries(closed.map((path) => [path, "ro,nosuid,nodev,size=64k"])),
  };
}
