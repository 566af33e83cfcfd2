// A set of tools alone, at a stable path, with the log of its calls: what `proctor mock tools` serves.
import { randomBytes } from "node:crypto";
import { ProctorError } from "../../core/errors.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { ObservedCall, ToolSet } from "../../core/tools.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { allowHosts } from "./allow-hosts.ts";
import { createCallLog } from "../call-log.ts";
import { decodePath } from "./decode-path.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { notAllowed, notFoundResponse } from "./respond.ts";
import { openSession } from "./session.ts";
import type { OpenToolPlace, StartProcess } from "./tool-process.ts";

interface LoggedCall extends ObservedCall {
  /** Time of the answer in ISO 8601. */
  time: string;
}

interface ToolServerOptions {
  tools: ToolSet;
  allowHosts: readonly string[];
  startProcess: StartProcess;
  openPlace?: OpenToolPlace;
  /** Whether both paths begin with a secret, for addresses that other machines can reach. */
  secret: boolean;
  /** Throws a ProctorError for a request that must not be answered. */
  check?: (request: Request) => void;
  /** Called with every call before it is answered. */
  onCall: (call: LoggedCall) => Promise<void>;
  clock?: Clock;
}

interface ToolServer {
  /** Path of the tools, the one of `context.tools_endpoint`: `/tools`. */
  path: string;
  /** Path of the log: `/calls`. */
  callsPath: string;
  names: readonly string[];
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export async function createToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const { tools, startProcess, openPlace, secret, check, onCall, clock = systemClock } = options;
  const log = createCallLog<LoggedCall>();
  const prefix = secret ? `/${randomBytes(24).toString("base64url")}` : "";
  const path = `${prefix}/tools`;
  const callsPath = `${prefix}/calls`;
  const session = await openSession({
    tools,
    allowed: null,
    redact: (text) => text,
    clock,
    startProcess,
    ...(openPlace && { openPlace }),
    assertAllowed: allowHosts(options.allowHosts),
    async onCall(call: ObservedCall) {
      const logged = { time: new Date(clock.now()).toISOString(), ...call };
      await onCall(logged);
      log.add(logged);
    },
  });

  async function answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === callsPath)
      return request.method === "GET" ? jsonResponse(log.read()) : notAllowed("GET");
    if (pathname !== path && !pathname.startsWith(`${path}/`)) return notFoundResponse();
    const rest = decodePath(pathname.slice(path.length + 1).split("/"));
    return rest === undefined ? notFoundResponse() : session.fetch(request, rest);
  }

  return {
    path,
    callsPath,
    names: session.names,
    async fetch(request) {
      try {
        check?.(request);
      } catch (error) {
        if (!ProctorError.is(error)) throw error;
        return jsonResponse({ status: "error", error: error.message, error_code: error.code }, error.status);
      }
      return answer(request);
    },
    close: () => session.close(),
  };
}
