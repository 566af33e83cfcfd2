// The connection to a container engine, and what is known of it. Found once; a failed search is repeated when somebody asks again.
import { hostname, release } from "node:os";
import type Docker from "dockerode";
import { engineAddresses, type EngineAddress } from "./engine-address.ts";

export interface Engine {
  docker: Docker;
  name: "docker" | "podman";
  version: string;
  /** Address of the engine in messages. */
  address: string;
  /** True when the engine runs on this machine, so that its processes are visible here and its paths are our paths. */
  local: boolean;
  rootless: boolean;
  /** The limits that the engine can enforce. */
  limits: { memory: boolean; processes: boolean; cpus: boolean; disk: boolean };
}

export interface NoEngine {
  reason: string;
  advice: string[];
}

/** Milliseconds in which an engine has to say what it is: podman asks the package manager first, which takes seconds on a busy machine. */
const PATIENCE_MS = 30_000;

export async function findEngine(env: NodeJS.ProcessEnv = process.env): Promise<Engine | NoEngine> {
  const failures: string[] = [];
  for (const address of engineAddresses(env)) {
    try {
      return await connect(address);
    } catch (error) {
      failures.push(`${address.name}: ${reasonOf(error)}`);
    }
  }
  return { reason: `no container engine answers (${failures.join("; ")})`, advice: advise(env, failures) };
}

async function connect({ name: address, socketPath }: EngineAddress): Promise<Engine> {
  const { default: Client } = await import("dockerode");
  const docker = socketPath === undefined ? new Client() : new Client({ socketPath });
  const abortSignal = AbortSignal.timeout(PATIENCE_MS);
  const ask = async (path: string): Promise<Record<string, unknown>> => {
    const answer: unknown = await dial(docker, path, abortSignal);
    if (typeof answer !== "object" || answer === null || Buffer.isBuffer(answer))
      throw new Error("it is no engine");
    return { ...answer };
  };
  const version = await ask("/version");
  const info = await ask("/info");
  const components = JSON.stringify(version["Components"] ?? "").toLowerCase();
  const security = JSON.stringify(info["SecurityOptions"] ?? "");
  return {
    docker,
    address,
    name: components.includes("podman") ? "podman" : "docker",
    version: text(version["Version"]),
    // An engine with another host name or kernel runs in a virtual machine behind a forwarded socket.
    local: socketPath !== undefined && info["Name"] === hostname() && info["KernelVersion"] === release(),
    rootless: info["Rootless"] === true || security.includes("rootless"),
    limits: {
      memory: info["MemoryLimit"] === true,
      processes: info["PidsLimit"] === true,
      cpus: info["CpuCfsQuota"] === true,
      disk: hasQuota(text(info["Driver"]), JSON.stringify(info["DriverStatus"] ?? "")),
    },
  };
}

/** Whether containers can have a size with this driver. For overlay on xfs that also depends on the mount, which creation shows. */
function hasQuota(driver: string, status: string): boolean {
  if (driver === "btrfs" || driver === "zfs") return true;
  return driver.startsWith("overlay") && status.includes("xfs");
}

function dial(docker: Docker, path: string, abortSignal: AbortSignal): Promise<unknown> {
  const statusCodes = { 200: true, 400: "bad request", 404: "not found", 500: "server error" };
  return new Promise((resolve, reject) => {
    docker.modem.dial({ path, method: "GET", statusCodes, abortSignal }, (error: unknown, answer: unknown) =>
      error === null || error === undefined ? resolve(answer) : reject(error),
    );
  });
}

function advise(env: NodeJS.ProcessEnv, failures: readonly string[]): string[] {
  if (env["DOCKER_HOST"]?.trim()) return ["start the engine that DOCKER_HOST names, or unset DOCKER_HOST"];
  if (failures.some((failure) => failure.includes("EACCES"))) {
    return ["let this user use the engine's socket: sudo usermod -aG docker $USER, then log in again"];
  }
  return [
    "install Docker (https://docs.docker.com/engine/install), or: apt-get install podman",
    "podman needs its service: systemctl --user start podman.socket, or podman system service --time=0",
  ];
}

/** Returns the engine's own message, without what the client library adds. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, json } = error as { code?: unknown; json?: { message?: unknown } | null };
  if (typeof json?.message === "string" && json.message.trim() !== "") return json.message.trim();
  if (code === "ENOENT" || code === "ECONNREFUSED" || code === "EACCES") return code;
  if (error.name === "AbortError" || error.name === "TimeoutError") return "no answer";
  return error.message.trim();
}

/** Returns the HTTP status of an engine's refusal. */
export function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  return typeof status === "number" ? status : undefined;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}
