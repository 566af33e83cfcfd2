// A receiver of push notifications on loopback: remembers what arrives, and answers as its path says: well, with an error, with a redirect,
// or never.
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { isUtf8 } from "node:buffer";

export type Manner = "well" | "fail" | "redirect" | "never";

export interface Notification {
  headers: Readonly<Record<string, string>>;
  body: string;
}

export interface Receiver {
  /** Returns an address of its own for a rule, which answers in this manner. */
  url(manner: Manner, name: string): string;
  /** Resolves with the first notification for an address; undefined when none comes before the signal. */
  first(url: string, signal: AbortSignal): Promise<Notification | undefined>;
  /** Resolves with the notifications for an address, as soon as they are enough, or as many as there are at the signal. */
  until(
    url: string,
    isEnough: (arrived: readonly Notification[]) => boolean,
    signal: AbortSignal,
  ): Promise<readonly Notification[]>;
  close(): void;
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** Notifications that are kept for each address. */
const MAX_KEPT = 1000;

export async function openReceiver(): Promise<Receiver> {
  const arrived = new Map<string, Notification[]>();
  const waiting = new Map<string, () => void>();
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MAX_BODY_BYTES) chunks.push(chunk);
    });
    request.on("error", () => undefined);
    request.on("end", () => {
      const path = request.url ?? "/";
      const bytes = Buffer.concat(chunks);
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)]);
      const kept = arrived.get(path) ?? [];
      arrived.set(path, kept);
      if (kept.length < MAX_KEPT) {
        const body = isUtf8(bytes) ? bytes.toString() : "";
        kept.push({ headers: Object.fromEntries(headers) as Record<string, string>, body });
      }
      waiting.get(path)?.();
      const [, manner] = path.split("/");
      if (manner === "never") return;
      const status = { fail: 500, redirect: 302 }[manner ?? ""] ?? 204;
      response.writeHead(status, status === 302 ? { location: "/well/elsewhere" } : {}).end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A server on a port has an address of this kind.
  const { port } = server.address() as AddressInfo;

  async function until(...[url, isEnough, signal]: Parameters<Receiver["until"]>) {
    const path = new URL(url).pathname;
    const here = (): readonly Notification[] => arrived.get(path) ?? [];
    while (!isEnough(here()) && !signal.aborted) {
      await new Promise<void>((resolve) => {
        waiting.set(path, resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
    return here();
  }

  return {
    url: (manner, name) => `http://127.0.0.1:${port}/${manner}/${encodeURIComponent(name)}`,
    until,
    first: async (url, signal) => (await until(url, (all) => all.length > 0, signal))[0],
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
