// Mock tools on a socket of their own, put together from the real parts.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { baseEnvironment } from "../../channels/process/base-environment.ts";
import { openProcess } from "../../channels/process/open-process.ts";
import type { ObservedCall, ToolSet } from "../../core/tools.ts";
import { whenAborted } from "../../core/when-aborted.ts";
import type { OpenToolPlace } from "../../doubles/tools/tool-process.ts";
import { createToolServer } from "../../doubles/tools/tool-server.ts";
import { isLoopback } from "../../runtime/addresses/is-loopback.ts";
import { createAuth } from "../../server/auth.ts";
import { listen } from "../../runtime/http/listen.ts";
import type { ServeMockOptions } from "./serve-mock.ts";

export interface MockToolsReady {
  /** Address that an agent is given as `tools_endpoint`. */
  endpoint: string;
  /** Address at which the log of calls can be read. */
  callsUrl: string;
  names: readonly string[];
}

export type AnsweredCall = ObservedCall & { time: string };

export interface ServeMockToolsOptions extends ServeMockOptions<MockToolsReady, AnsweredCall> {
  tools: ToolSet;
}

export async function serveMockTools(options: ServeMockToolsOptions): Promise<void> {
  const places = options.tools.environment && (await openPlaces());
  try {
    await serve(options, places?.open);
  } finally {
    await places?.close();
  }
}

/** Opens environments of its own: there is no hub here that has some. */
async function openPlaces(): Promise<{ open: OpenToolPlace; close(): Promise<void> }> {
  const { serveEnvironments } = await import("./serve-environments.ts");
  const { createToolPlaces } = await import("./tool-places.ts");
  const dataDir = await mkdtemp(join(tmpdir(), "proctor-tools-"));
  const environments = serveEnvironments({ dataDir, unsafeLocal: false, buildNetwork: "none" });
  return {
    open: createToolPlaces({ environments, hubId: randomUUID(), hidden: [dataDir] }),
    async close() {
      await environments.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function serve(options: ServeMockToolsOptions, openPlace: OpenToolPlace | undefined): Promise<void> {
  const { tools, host, port, onReady, onCall, signal } = options;
  const local = isLoopback(host.toLowerCase());
  const auth = createAuth({ tokens: [], host });
  const server = await createToolServer({
    tools,
    // The file is the user's own: what it names is what they want called.
    allowHosts: ["*"],
    startProcess: ({ env, ...rest }) => openProcess({ ...rest, env: { ...baseEnvironment(), ...env } }),
    ...(openPlace && { openPlace }),
    secret: !local,
    // Without a secret, no web page may talk a browser on this machine into calling.
    ...(local && { check: (request: Request) => auth.checkPlace(request) }),
    onCall,
  });
  try {
    const listening = await listen({ app: server, host, port });
    const { path, callsPath, names } = server;
    onReady({ endpoint: `${listening.url}${path}`, callsUrl: `${listening.url}${callsPath}`, names });
    await whenAborted(signal);
    await server.close();
    await listening.close(0);
  } finally {
    await server.close();
  }
}
