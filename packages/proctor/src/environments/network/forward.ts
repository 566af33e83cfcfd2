// Lets an environment without a network reach what it may: ports of this machine's loopback under the same address, and named hosts
// through a proxy. Unix sockets on our side; in the environment's network namespace a small process of ours that leads to them.
import { ProctorError } from "../../core/errors.ts";
import type { Decisions } from "./decisions.ts";
import { createForwardDir } from "./forward-dir.ts";
import { createProxy, type Proxy } from "./proxy.ts";
import { createRelay } from "./relay.ts";
import { startBridge } from "./start-bridge.ts";

export interface ForwardRequest {
  /** The command that starts a program of this machine in the environment's network namespace: `["nsenter", "-t", "<pid>", "-n"]`. */
  enter: readonly string[];
  /** The directory below which a private one is made. */
  stateDir: string;
  /** The environment's id, of letters, digits and `-`, for messages. */
  id: string;
  /** Ports of this machine's 127.0.0.1, reached inside as 127.0.0.1 with the same number. */
  ports: readonly number[];
  /** Allowed hosts: `host`, `host:port`, `*.host`; there is no proxy when absent. */
  allowHosts?: readonly string[];
  /** The signal ends the forward while it is being opened. */
  signal?: AbortSignal;
}

export interface Forward {
  /** Variables for every process in the environment: HTTP_PROXY and the like where there is a list of hosts; otherwise none. */
  env: Record<string, string>;
  /** Returns the number of requests for each `host:port`, by the proxy's decision. */
  decisions(): Decisions;
  /** Removes process, sockets and directory. It may be called before or after the environment is destroyed. */
  close(): Promise<void>;
}

const NO_DECISIONS: Decisions = { allowed: {}, refused: {} };
const PROXY_SOCKET = "proxy";

/** Throws ENVIRONMENT_UNAVAILABLE when it cannot be connected, INVALID_REQUEST when the list of hosts is wrong. */
export async function openForward(request: ForwardRequest): Promise<Forward> {
  const { enter, stateDir, allowHosts, signal } = request;
  const ports = [...new Set(request.ports)];
  checkPorts(ports);
  signal?.throwIfAborted();
  if (ports.length === 0 && allowHosts === undefined) {
    return { env: {}, decisions: () => NO_DECISIONS, close: () => Promise.resolve() };
  }
  const proxy = allowHosts && createProxy({ allowHosts });
  const servers = [
    ...ports.map((port) => ({ port, name: `${port}`, ...createRelay(port) })),
    ...(proxy ? [{ port: 0, name: PROXY_SOCKET, ...proxy }] : []),
  ];
  const dir = await createForwardDir(stateDir);
  let bridge: Awaited<ReturnType<typeof startBridge>> | undefined;

  async function closeAll(): Promise<void> {
    await bridge?.close();
    await Promise.all(servers.map((server) => server.close()));
    await dir.remove();
  }

  try {
    for (const { server, name } of servers) await dir.listen(server, name);
    bridge = await startBridge({
      enter,
      dir: dir.path,
      listeners: servers.map(({ port, name }) => [port, name]),
      ...(signal && { signal }),
    });
  } catch (error) {
    await closeAll();
    throw error;
  }
  let closing: Promise<void> | undefined;
  return {
    env: proxy ? proxyVariables(bridge.ports.at(-1) ?? 0) : {},
    decisions: () => decisionsOf(proxy),
    close: () => (closing ??= closeAll()),
  };
}

function decisionsOf(proxy: Proxy | undefined): Decisions {
  return proxy?.decisions() ?? NO_DECISIONS;
}

/** The variables in capitals and in small letters: programs look at one or the other. */
function proxyVariables(port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  const here = "localhost,127.0.0.1,::1";
  return {
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: here,
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
    no_proxy: here,
  };
}

function checkPorts(ports: readonly number[]): void {
  const wrong = ports.find((port) => !Number.isInteger(port) || port < 1 || port > 65_535);
  if (wrong === undefined) return;
  throw new ProctorError("INVALID_REQUEST", `${wrong} is no port that an environment could reach`);
}
