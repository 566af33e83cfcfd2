// Ways out of a container's network namespace, where that is one of this machine: ports of the hub and hosts of an allow-list. The
// container's main process leads there.
import { readFile, readlink } from "node:fs/promises";
import type Docker from "dockerode";
import { openForward, type Forward } from "../network/forward.ts";
import type { PreparedEnvironment } from "../provider.ts";
import { refuse } from "../refuse.ts";
import type { Engine } from "./engine.ts";

interface JoinRequest {
  engine: Engine;
  container: Docker.Container;
  stateDir: string;
  request: PreparedEnvironment;
  /** The requested ports that the joined network does not have yet. */
  ports: readonly number[];
}

/** Resolves with undefined when nothing has to be forwarded. */
export async function joinNetwork({
  engine,
  container,
  stateDir,
  request,
  ports,
}: JoinRequest): Promise<Forward | undefined> {
  const { network = "none", allow_hosts: hosts = [] } = request.options;
  if (network === "host") return undefined;
  const allowHosts = network === "allow-list" ? hosts : undefined;
  if (ports.length === 0 && allowHosts === undefined) return undefined;
  const { State: state } = await container.inspect();
  if (!engine.local || !(await isHere(state.Pid, container.id))) {
    throw refuse(
      `${engine.name} at ${engine.address} does not run its containers on this machine, so nothing here can be reached from them`,
      [
        "use an engine of this machine, or the environment bwrap, or the network none without tools and models",
      ],
    );
  }
  return openForward({
    enter: await enterCommand(state.Pid),
    stateDir,
    id: request.id,
    ports,
    ...(allowHosts && { allowHosts }),
    signal: request.signal,
  });
}

/** Whether the pid belongs to this container; it may be one of a virtual machine. */
async function isHere(pid: number, id: string): Promise<boolean> {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  const known = await Promise.all(
    ["cgroup", "mountinfo"].map((name) => readFile(`/proc/${pid}/${name}`, "utf8").catch(() => "")),
  );
  return known.some((text) => text.includes(id));
}

/** Resolves with the command to enter the network; a rootless engine's networks belong to its own user namespace. */
async function enterCommand(pid: number): Promise<string[]> {
  const [own, theirs] = await Promise.all(
    ["self", String(pid)].map((name) => readlink(`/proc/${name}/ns/user`).catch(() => "")),
  );
  const user = own === theirs ? [] : ["-U", "--preserve-credentials"];
  return ["nsenter", "-t", String(pid), ...user, "-n"];
}
