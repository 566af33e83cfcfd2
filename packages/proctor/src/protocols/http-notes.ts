// One exchange over HTTP as a recording has it: the head of the answer, its frames or its body, and how it ended.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../channels/http/exchange.ts";
import type { WholeBody } from "../channels/http/read-body.ts";
import type { HttpTrouble } from "../channels/http/trouble.ts";
import { wholeCharacters } from "../core/whole-characters.ts";
import type { SseMessage } from "../channels/sse/parse-sse.ts";
import type { WireTap } from "./wire-tap.ts";

export function noteHead(tap: WireTap, { status, headers }: Omit<HttpAnswer, "body">): void {
  const type = headers["content-type"];
  const others = {
    "content-encoding": headers["content-encoding"],
    "content-length": headers["content-length"],
    // Only the origin is kept: a path or a query may hold a key.
    location: originOf(headers.location),
    "retry-after": headers["retry-after"],
    "retry-after-ms": headers["retry-after-ms"],
  };
  tap.received("head", JSON.stringify(others), { status, ...(type !== undefined && { content_type: type }) });
}

/** Notes the body, of which only the beginning may have been kept, and how the exchange ended. */
export function noteBody(
  tap: WireTap,
  { bytes, sizeBytes, trouble }: Pick<WholeBody, "bytes" | "sizeBytes" | "trouble">,
): void {
  const kept = sizeBytes > bytes.length ? wholeCharacters(bytes) : bytes.length;
  if (sizeBytes > 0) {
    tap.received("body", bytes.toString("utf8", 0, kept), {
      ...(sizeBytes > kept && { dropped_bytes: sizeBytes - kept }),
      ...(!isUtf8(bytes.subarray(0, kept)) && { encoding: "lossy" }),
    });
  }
  noteEnd(tap, trouble);
}

/** `lossy` is true where the frame was not valid UTF-8. */
export function noteFrame(tap: WireTap, frame: SseMessage, lossy = false): void {
  const more = lossy ? ({ encoding: "lossy" } as const) : {};
  if (frame.kind === "message") tap.received("sse", frame.data, { name: frame.event, id: frame.id, ...more });
  else if (frame.kind === "oversized") {
    tap.received("sse", "", { name: frame.event, id: frame.id, dropped_bytes: frame.limitBytes, ...more });
  }
}

export function noteEnd(tap: WireTap, trouble: HttpTrouble | undefined): void {
  if (trouble === undefined) tap.received("close", "", { name: "end" });
  else tap.received("close", trouble.message, { name: trouble.kind, id: trouble.code });
}

function originOf(location: string | undefined): string | undefined {
  if (location === undefined) return undefined;
  return URL.canParse(location) ? new URL(location).origin : "/";
}
