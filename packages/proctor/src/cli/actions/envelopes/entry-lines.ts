// An envelope as lines for people.
import type { Envelope } from "../../../core/envelope.ts";
import type { Screen } from "../../terminal/screen.ts";
import { oneLine } from "../../terminal/text.ts";

const MAX_PAYLOAD_CHARS = 2000;

export function entryLines(envelope: Envelope, { paint }: Screen, position?: number): string[] {
  const { id, from, type, action, payload, inReplyTo } = envelope;
  const place = position === undefined ? "" : `${paint.dim(`${position}`)} `;
  const about = inReplyTo === undefined ? "" : paint.dim(` re ${oneLine(inReplyTo)}`);
  const kind = type === "error" ? paint.red(type) : type;
  const text = typeof payload === "string" ? payload : JSON.stringify(payload);
  return [
    `${place}${paint.bold(oneLine(from))} ${kind} ${oneLine(action)} ${paint.dim(oneLine(id))}${about}`,
    ...(payload === null ? [] : [`   ${oneLine(text.slice(0, MAX_PAYLOAD_CHARS))}`]),
  ];
}
