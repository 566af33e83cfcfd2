// A puppet on a stage, with somebody at the door who counts its connections: what a hub opens to an agent, it must let go.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import type { AgentSpec } from "../../src/core/agent.ts";
import type { Play, Stage } from "./protocols/puppet.ts";

export interface WatchedPuppet {
  /** Leads through the door. */
  spec: AgentSpec;
  /** Connections that are open now; for a program, programs that run. */
  open(): number;
  /** Connections that were ever opened. */
  ever(): number;
  /** Says no more, and still listens. */
  halfClose(): void;
  /** Neither passes anything on nor takes anything; until it is called with false. */
  freeze(frozen: boolean): void;
  close(): Promise<void>;
}

export async function raiseWatched(stage: Stage, play: Play): Promise<WatchedPuppet> {
  const puppet = await stage.raise(play);
  const sockets = new Set<Socket>();
  let ever = 0;
  const door = createServer((caller) => {
    ever += 1;
    sockets.add(caller);
    caller.once("close", () => sockets.delete(caller));
    join(caller, connect(portOf(puppet.spec), "127.0.0.1"));
  });
  door.listen(0, "127.0.0.1");
  await once(door, "listening");
  // A server on a port has an address with a port.
  const { port } = door.address() as AddressInfo;
  return {
    spec: through(puppet.spec, port),
    open: () => sockets.size,
    ever: () => ever,
    halfClose() {
      for (const socket of sockets) socket.end();
    },
    freeze(frozen) {
      for (const socket of sockets) if (frozen) socket.pause();
      for (const socket of sockets) if (!frozen) socket.resume();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => door.close(resolve));
      await puppet.close();
    },
  };
}

/** What one side says the other hears, its end too; a side that breaks off takes the other with it. */
function join(one: Socket, other: Socket): void {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    from.on("error", () => to.destroy());
    from.pipe(to);
  }
  one.once("close", () => other.destroy());
  // Nobody takes what still comes, and yet its end is wanted.
  other.once("close", () => one.end().resume());
}

function portOf({ url, env }: AgentSpec): number {
  return Number(url === undefined ? env?.["PUPPET_PORT"] : new URL(url).port);
}

function through(spec: AgentSpec, port: number): AgentSpec {
  return spec.url === undefined
    ? { ...spec, env: { ...spec.env, PUPPET_PORT: String(port) } }
    : { ...spec, url: spec.url.replace(/:\d+$/, `:${port}`) };
}
