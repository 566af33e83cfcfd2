// Mock tools on a socket of their own, put together from the real parts.
import { baseEnvironment } from "../../channels/process/base-environment.ts";
import { openProcess } from "../../channels/process/open-process.ts";
import { createToolServer } from "../../doubles/tools/tool-server.ts";
import { createAuth, isLoopback } from "../../server/auth.ts";
import { listen } from "../../server/listen.ts";
import type { ServeMockToolsOptions } from "../actions/mock-tools.ts";

export async function serveMockTools(options: ServeMockToolsOptions): Promise<void> {
  const { tools, host, port, onReady, onCall, signal } = options;
  const local = isLoopback(host.toLowerCase());
  const auth = createAuth({ tokens: [], host });
  const server = await createToolServer({
    tools,
    // The file is the user's own: what it names is what they want called.
    allowHosts: ["*"],
    startProcess: ({ env, ...rest }) => openProcess({ ...rest, env: { ...baseEnvironment(), ...env } }),
    secret: !local,
    // Without a secret, no web page may talk a browser on this machine into calling.
    ...(local && { check: (request: Request) => auth.check(request, true) }),
    onCall,
  });
  try {
    const listening = await listen({ app: server, host, port });
    const { path, callsPath, names } = server;
    onReady({ endpoint: `${listening.url}${path}`, callsUrl: `${listening.url}${callsPath}`, names });
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    await server.close();
    await listening.close(0);
  } finally {
    await server.close();
  }
}
