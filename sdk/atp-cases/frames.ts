// WebSocket frames (RFC 6455) as clients send them, correct and broken. Every SDK that serves WebSocket runs these cases.
import { randomBytes } from "node:crypto";

export const HANDSHAKE =
  "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n" +
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/** Header that RFC 6455 gives as the answer to the key of `HANDSHAKE`, which is its own example. */
export const ACCEPT = "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=";

/** Builds a frame as clients send it. `mask: false` breaks the rule that clients mask their frames. */
export function frame(
  opcode: number,
  payload: string | Buffer,
  { final = true, mask = true, reserved = 0 }: { final?: boolean; mask?: boolean; reserved?: number } = {},
): Buffer {
  const bytes = Buffer.from(payload as string);
  const head = Buffer.alloc(bytes.length < 126 ? 2 : bytes.length < 65_536 ? 4 : 10);
  head[0] = (final ? 0x80 : 0) | (reserved << 4) | opcode;
  head[1] = (mask ? 0x80 : 0) | (head.length === 2 ? bytes.length : head.length === 4 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(bytes.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes.length), 2);
  if (!mask) return Buffer.concat([head, bytes]);
  const key = randomBytes(4);
  return Buffer.concat([head, key, bytes.map((byte, index) => byte ^ (key[index % 4] ?? 0))]);
}

/** Returns the frames after the handshake as opcode and payload. It reads no lengths above 65,535, because payloads of these tests are short. */
export function framesOf(received: Buffer): { opcode: number; payload: Buffer }[] {
  const frames = [];
  let rest = received.subarray(received.indexOf("\r\n\r\n") + 4);
  while (rest.length >= 2) {
    const short = (rest[1] ?? 0) & 0x7f;
    const [start, length] = short === 126 ? [4, rest.readUInt16BE(2)] : [2, short];
    frames.push({ opcode: (rest[0] ?? 0) & 0x0f, payload: rest.subarray(start, start + length) });
    rest = rest.subarray(start + length);
  }
  return frames;
}

export function closeCodeOf(received: Buffer): number | undefined {
  return framesOf(received)
    .find(({ opcode }) => opcode === 8)
    ?.payload.readUInt16BE(0);
}

/** Name of the case, the bytes that a client sends after the handshake, and the code with which the agent closes. */
export const CLOSED_FRAMES: readonly (readonly [string, Buffer, number])[] = [
  ["a frame without mask", frame(1, "{}", { mask: false }), 1002],
  ["a reserved bit", frame(1, "{}", { reserved: 4 }), 1002],
  ["an unknown opcode", frame(3, "{}"), 1002],
  ["an unknown control opcode", frame(11, "{}"), 1002],
  ["a ping in fragments", frame(9, "a", { final: false }), 1002],
  ["a long ping", frame(9, "a".repeat(126)), 1002],
  ["a continuation of nothing", frame(0, "{}"), 1002],
  ["two beginnings", Buffer.concat([frame(1, "{", { final: false }), frame(1, "}")]), 1002],
  ["a close with half a code", frame(8, "a"), 1002],
  ["a close with a code that may not be sent", frame(8, Buffer.from([3, 237])), 1002],
  ["a close with a code below 1000", frame(8, Buffer.from([0, 1])), 1002],
  ["a close with a reason that is not UTF-8", frame(8, Buffer.from([3, 232, 0xff])), 1007],
  ["a binary frame", frame(2, "{}"), 1003],
  ["text that is not UTF-8", frame(1, Buffer.from([0x7b, 0xc3, 0x28, 0x7d])), 1007],
  ["an announced terabyte", Buffer.from([0x81, 0xff, 0, 0, 1, 0, 0, 0, 0, 0, 1, 2, 3, 4]), 1009],
  ["nine announced exabytes", Buffer.from([0x81, 0xff, 0x7f, ...Array<number>(11).fill(255)]), 1009],
  ["a close without a code", frame(8, ""), 1000],
  ["a close", frame(8, Buffer.from([0x0f, 0xa0])), 4000],
];

/** Name of the case, the head of a handshake that is refused, and the status of the refusal. */
export const REFUSED_HANDSHAKES: readonly (readonly [string, string, number])[] = [
  ["other subprotocols", `${HANDSHAKE}Sec-WebSocket-Protocol: atp.v2\r\n`, 400],
  ["a page of another site", `${HANDSHAKE}Origin: https://example.com\r\n`, 403],
  ["an old version", HANDSHAKE.replace("Version: 13", "Version: 8"), 426],
  ["a bad key", HANDSHAKE.replace("dGhlIHNhbXBsZSBub25jZQ==", "short"), 400],
];
