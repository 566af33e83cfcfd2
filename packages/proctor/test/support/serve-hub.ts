// The whole hub of `proctor up` in the test's process, on free ports, with its tokens at hand.
import { readSse } from "../../src/channels/sse/read-sse.ts";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { serve } from "../../src/cli/compose/serve.ts";
import { loadConfig } from "../../src/cli/config/load-config.ts";
import type { Tokens } from "../../src/core/ports/tokens.ts";
import type { IssuedToken, NewToken } from "../../src/core/token.ts";
import { createHttpPlatform } from "../../src/hub/http-platform.ts";
import { afterEveryFile } from "./closing.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface RunningHub {
  url: string;
  grpcUrl: string;
  folder: string;
  /** A token of whoever runs the hub. */
  operator: string;
  tokens: Tokens;
  /** What the hub has logged. */
  log: () => string;
  issue: (token: Partial<NewToken> & Pick<NewToken, "scopes">) => Promise<IssuedToken>;
  send: (
    method: string,
    path: string,
    init?: { token?: string; json?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ) => Promise<Response>;
  close(): Promise<void>;
}

const hubs: RunningHub[] = [];
afterEveryFile(async () => {
  for (const hub of hubs.splice(0)) await hub.close();
});

/** `yaml` is the text of its proctor.yaml. */
export async function serveHub({
  yaml = "",
  open = false,
}: { yaml?: string; open?: boolean } = {}): Promise<RunningHub> {
  const folder = temporaryFolder("served");
  writeFileSync(join(folder, "proctor.yaml"), yaml);
  const operator = "of-whoever-runs-the-hub";
  const config = await loadConfig({
    cwd: folder,
    env: open ? {} : { PROCTOR_TOKEN: operator },
    flags: { port: "0", grpcPort: "0" },
  });
  const stop = new AbortController();
  let log = "";
  let done: Promise<void> = Promise.resolve();
  const ready = await new Promise<{ url: string; grpcUrl?: string }>((resolve, reject) => {
    done = serve(config, { onReady: resolve, writeLog: (text) => void (log += text), signal: stop.signal });
    done.catch(reject);
  });
  const { url, grpcUrl = "" } = ready;
  const { tokens } = createHttpPlatform({ url, readSse, ...(!open && { token: operator }) });
  const hub: RunningHub = {
    url,
    grpcUrl,
    folder,
    operator,
    tokens,
    log: () => log,
    issue: (token) => tokens.create({ name: "of a test", ...token }),
    send(method, path, { token, json, headers = {}, signal } = {}) {
      return fetch(`${url}${path}`, {
        method,
        headers: {
          ...(json !== undefined && { "content-type": "application/json" }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
        ...(signal && { signal }),
      });
    },
    async close() {
      stop.abort();
      await done;
    },
  };
  hubs.push(hub);
  return hub;
}
