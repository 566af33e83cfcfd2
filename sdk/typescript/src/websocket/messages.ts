// RFC 6455, sections 5.4 and 5.5: joins frames to messages, and turns each violation into the code to close with.
import { createFrameReader, type FrameHeader, OPCODES } from "./frames.ts";

interface MessageHandler {
  text(message: string): void;
  ping(payload: Buffer): void;
  pong(): void;
  close(code: number, reason: string): void;
  /** Called when the peer broke a rule. Nothing is read from then on. */
  broken(code: number, reason: string): void;
  /** Called with true when a frame of a message begins, and with false when the message is complete. */
  pending(isPending: boolean): void;
}

const MAX_CONTROL_BYTES = 125;
const NO_CODE = 1005;

export function createMessageReader(maxBytes: number, handler: MessageHandler): (chunk: Buffer) => void {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const message = createGrowingBuffer();
  const control = createGrowingBuffer();
  let open = false;
  let alive = true;

  function fail(code: number, reason: string): false {
    alive = false;
    handler.broken(code, reason);
    return false;
  }

  function decode(bytes: Buffer): string | undefined {
    try {
      return utf8.decode(bytes);
    } catch {
      return undefined;
    }
  }

  function problemOf({ reserved, opcode, masked, final, length }: FrameHeader): [number, string] | undefined {
    if (!masked) return [1002, "frames of a client must be masked"];
    if (reserved) return [1002, "no extension was agreed on"];
    if (opcode >= OPCODES.close) {
      if (opcode > OPCODES.pong) return [1002, "unknown opcode"];
      return final && length <= MAX_CONTROL_BYTES
        ? undefined
        : [1002, "control frames must be short and whole"];
    }
    if (opcode === OPCODES.binary) return [1003, "only text is understood"];
    if (opcode > OPCODES.binary) return [1002, "unknown opcode"];
    if ((opcode === OPCODES.continuation) !== open) return [1002, "fragments in a wrong order"];
    return length <= maxBytes - message.length ? undefined : [1009, "larger than 10 MB"];
  }

  function endClose(payload: Buffer): false {
    const code = payload.length >= 2 ? payload.readUInt16BE(0) : NO_CODE;
    const reason = decode(payload.subarray(2));
    if (payload.length === 1 || (payload.length >= 2 && !isCloseCode(code)))
      return fail(1002, "no such close code");
    if (reason === undefined) return fail(1007, "not UTF-8");
    alive = false;
    handler.close(code, reason);
    return false;
  }

  function endControl(opcode: number): boolean {
    const payload = control.take();
    if (opcode === OPCODES.close) return endClose(payload);
    if (opcode === OPCODES.ping) handler.ping(payload);
    else handler.pong();
    return alive;
  }

  let target = message;
  return createFrameReader({
    header(header) {
      const problem = problemOf(header);
      if (problem) return fail(...problem);
      target = header.opcode >= OPCODES.close ? control : message;
      if (target === control) return true;
      open = true;
      handler.pending(true);
      return true;
    },
    payload: (piece) => target.push(piece),
    end({ opcode, final }) {
      if (opcode >= OPCODES.close) return endControl(opcode);
      if (!final) return true;
      open = false;
      handler.pending(false);
      const text = decode(message.take());
      if (text === undefined) return fail(1007, "not UTF-8");
      handler.text(text);
      return alive;
    },
  });
}

/** Section 7.4: whether a frame may carry the code. */
function isCloseCode(code: number): boolean {
  return (
    (code >= 1000 && code <= 1014 && ![1004, 1005, 1006].includes(code)) || (code >= 3000 && code <= 4999)
  );
}

interface GrowingBuffer {
  readonly length: number;
  push(piece: Buffer): void;
  take(): Buffer;
}

/** Collects fragments in one piece of memory, so that many small ones do not cost more than their bytes. */
function createGrowingBuffer(): GrowingBuffer {
  let bytes = Buffer.alloc(0);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(piece) {
      if (length + piece.length > bytes.length) {
        const larger = Buffer.alloc(Math.max(length + piece.length, bytes.length * 2, 1024));
        bytes.copy(larger, 0, 0, length);
        bytes = larger;
      }
      piece.copy(bytes, length);
      length += piece.length;
    },
    take() {
      const taken = bytes.subarray(0, length);
      bytes = Buffer.alloc(0);
      length = 0;
      return taken;
    },
  };
}
