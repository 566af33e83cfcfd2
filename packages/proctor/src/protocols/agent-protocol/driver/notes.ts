// One exchange as a recording has it: the request, the head of the answer, its body, and how it ended. Bytes of files are
// counted and not kept: they are artifacts.
import { isUtf8 } from "node:buffer";
import type { HttpAnswer } from "../../../channels/http/exchange.ts";
import type { WholeBody } from "../../../channels/http/read-body.ts";
import type { HttpTrouble } from "../../../channels/http/trouble.ts";
import { wholeCharacters } from "../../../channels/lines/decode-text.ts";
import type { WireTap } from "../../wire-tap.ts";
import type { ApRequest } from "./requests.ts";

export function noteRequest(tap: WireTap, { name, content = "" }: ApRequest): void {
  if (typeof content === "string") tap.sent("request", content, { name });
  else tap.sent("request", "", { name, dropped_bytes: content.length });
}

export function noteAnswer(tap: WireTap, { status, headers }: HttpAnswer, body: WholeBody): void {
  const type = headers["content-type"];
  const others = {
    "content-encoding": headers["content-encoding"],
    "content-length": headers["content-length"],
  };
  tap.received("head", JSON.stringify(others), { status, ...(type !== undefined && { content_type: type }) });
  const { bytes, sizeBytes } = body;
  const kept = sizeBytes > bytes.length ? wholeCharacters(bytes) : bytes.length;
  if (sizeBytes > 0) {
    tap.received("body", bytes.toString("utf8", 0, kept), {
      ...(sizeBytes > kept && { dropped_bytes: sizeBytes - kept }),
      ...(!isUtf8(bytes.subarray(0, kept)) && { encoding: "lossy" }),
    });
  }
  if (body.trouble) noteTrouble(tap, body.trouble);
  else tap.received("close", "", { name: "end" });
}

export function noteTrouble(tap: WireTap, { kind, code, message }: HttpTrouble): void {
  tap.received("close", message, { name: kind, id: code });
}
