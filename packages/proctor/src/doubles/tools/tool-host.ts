// Serves the tools of runs, each run at an address that cannot be guessed: the port core/ports/tool-host.ts.
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { ToolEndpoint, ToolHost, ToolSession } from "../../core/ports/tool-host.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { allowHosts } from "./allow-hosts.ts";
import { decodePath } from "./decode-path.ts";
import { notFoundResponse } from "./respond.ts";
import { openSession, type Session } from "./session.ts";
import type { ScriptSource } from "./script-tool.ts";
import type { OpenToolPlace, StartProcess } from "./tool-process.ts";

interface ToolHostOptions {
  /** Resolves to the address of `fetch` as agents reach it, without `/tools`. Called for each session. */
  baseUrl: () => Promise<string>;
  /** Hosts that real tools may be called on; see allow-hosts.ts. */
  allowHosts: readonly string[];
  /** Starts MCP servers. */
  startProcess: StartProcess;
  /** Opens environments for MCP servers that run in one. */
  openPlace?: OpenToolPlace;
  /** The script tools that sets may name. */
  scripts?: ScriptSource;
  clock?: Clock;
}

interface ServedToolHost extends ToolHost {
  /** Answers requests to everything below `/tools`. */
  fetch(request: Request): Promise<Response>;
  /** Closes all sessions; no other one is opened afterwards. */
  close(): Promise<void>;
}

interface Place {
  digest: Buffer;
  session: Session;
}

const PREFIX = "/tools/";
const TOKEN_BYTES = 24;
const TOKEN_CHARS = 32;
const NOBODY = digest("");

export function createToolHost(options: ToolHostOptions): ServedToolHost {
  const { baseUrl, startProcess, openPlace, scripts, clock = systemClock } = options;
  const assertAllowed = allowHosts(options.allowHosts);
  /** Open sessions by the run's id, which is not a secret. */
  const places = new Map<string, Place[]>();
  let closed = false;

  function find(key: string): Session | undefined {
    const runId = key.slice(0, -TOKEN_CHARS - 1);
    const given = digest(key.slice(-TOKEN_CHARS));
    let found: Session | undefined;
    // A digest is always compared, in constant time, even for an unknown run.
    for (const place of places.get(runId) ?? [{ digest: NOBODY, session: undefined }]) {
      if (timingSafeEqual(place.digest, given)) found = place.session;
    }
    return found;
  }

  function forget(runId: string, place: Place): void {
    const others = (places.get(runId) ?? []).filter((other) => other !== place);
    if (others.length > 0) places.set(runId, others);
    else places.delete(runId);
  }

  return {
    async open(given: ToolSession): Promise<ToolEndpoint> {
      if (closed) throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      const base = await baseUrl();
      const starts = { startProcess, ...(openPlace && { openPlace }), ...(scripts && { scripts }) };
      const session = await openSession({ ...given, clock, assertAllowed, ...starts });
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const place = { digest: digest(token), session };
      if (closed) {
        await session.close();
        throw new ProctorError("SHUTTING_DOWN", "the hub is stopping");
      }
      places.set(given.runId, [...(places.get(given.runId) ?? []), place]);
      return {
        url: `${base.replace(/\/+$/, "")}${PREFIX}${given.runId}-${token}`,
        names: session.names,
        async close() {
          forget(given.runId, place);
          await session.close();
        },
      };
    },
    async fetch(request) {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith(PREFIX)) return notFoundResponse();
      const [key = "", ...rest] = pathname.slice(PREFIX.length).split("/");
      const session = find(key);
      const path = decodePath(rest);
      return session === undefined || path === undefined ? notFoundResponse() : session.fetch(request, path);
    },
    async close() {
      closed = true;
      const open = [...places.values()].flat();
      places.clear();
      await Promise.all(open.map(({ session }) => session.close()));
    },
  };
}

function digest(token: string): Buffer {
  return Buffer.from(hash("sha256", token, "hex"), "latin1");
}
