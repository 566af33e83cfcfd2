// What a request carries beside its parameters, as services get it.
import { clientOrigin } from "../../../runtime/http/client-origin.ts";
import type { A2aCall, A2aVersion } from "../service.ts";
import type { HttpBinding, ServerCall } from "./serving.ts";

export interface OpenCall {
  call: A2aCall;
  /** Ends the call: its signal is aborted, and nothing is listened to any more. */
  end(): void;
}

interface Spoken {
  version: A2aVersion;
  binding: HttpBinding;
}

/** The header of each version that lists the extensions a client asks for, and those it gets. */
export const EXTENSIONS_HEADER: Readonly<Record<A2aVersion, string>> = {
  "1.0": "A2A-Extensions",
  "0.3": "X-A2A-Extensions",
};

/** A client of either version may use either name. */
const EXTENSION_HEADERS = Object.values(EXTENSIONS_HEADER);

/** One for all: an abort without a reason makes an exception, with its stack, for every call. */
const ENDED = new Error("the call is over");

/** What costs something, and not every service looks at, is made when it is looked at. */
export function openCall(
  request: Request,
  { traceId, basePath }: ServerCall,
  { version, binding }: Spoken,
  stopping: AbortSignal,
): OpenCall {
  let ending: AbortController | undefined;
  let isOver = false;
  let headers: A2aCall["headers"] | undefined;

  function end(): void {
    isOver = true;
    if (ending === undefined || ending.signal.aborted) return;
    request.signal.removeEventListener("abort", end);
    stopping.removeEventListener("abort", end);
    ending.abort(ENDED);
  }

  function listen(): AbortController {
    const controller = new AbortController();
    ending = controller;
    for (const signal of [request.signal, stopping]) {
      signal.addEventListener("abort", end, { once: true });
      if (isOver || signal.aborted) end();
    }
    return controller;
  }

  const { origin, prefix } = clientOrigin(request);
  const lastEventId = request.headers.get("last-event-id");
  const call: A2aCall = {
    version,
    binding,
    get headers() {
      return (headers ??= Object.fromEntries(request.headers));
    },
    extensions: readExtensions(request.headers),
    origin,
    basePath: prefix + basePath,
    traceId,
    get signal() {
      return (ending ?? listen()).signal;
    },
  };
  if (lastEventId !== null && lastEventId !== "") call.lastEventId = lastEventId;
  return { call, end };
}

export function readExtensions(headers: Headers): readonly string[] {
  const listed = EXTENSION_HEADERS.flatMap((name) => headers.get(name)?.split(",") ?? []);
  if (listed.length === 0) return listed;
  return [...new Set(listed.map((uri) => uri.trim()).filter((uri) => uri !== ""))];
}
