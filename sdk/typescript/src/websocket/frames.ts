// RFC 6455, section 5: frames as bytes. Reading is incremental, however the bytes are cut; writing makes one frame.

export const OPCODES = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameHeader {
  readonly final: boolean;
  readonly reserved: boolean;
  readonly opcode: number;
  readonly masked: boolean;
  readonly length: number;
}

interface FrameHandler {
  /** Called before the payload; returning false ends the reading for good. */
  header(header: FrameHeader): boolean;
  /** Called with each piece of the payload, unmasked. The piece is only valid during the call. */
  payload(piece: Buffer): void;
  /** Called when the frame is complete; returning false ends the reading for good. */
  end(header: FrameHeader): boolean;
}

/** Returns a function that takes the chunks of a connection. */
export function createFrameReader(handler: FrameHandler): (chunk: Buffer) => void {
  const head = Buffer.alloc(14);
  let headBytes = 0;
  let header: FrameHeader | undefined;
  let mask = Buffer.alloc(4);
  let read = 0;
  let stopped = false;

  /** Takes from the chunk the bytes that the head still lacks. Returns how many those were. */
  function readHead(chunk: Buffer): number {
    let at = 0;
    while (header === undefined && at < chunk.length) {
      head[headBytes++] = chunk[at++] ?? 0;
      if (headBytes < 2 || headBytes < headSize(head)) continue;
      header = decodeHead(head);
      mask = Buffer.from(head.subarray(headBytes - 4, headBytes));
      headBytes = 0;
      read = 0;
      stopped = !handler.header(header);
      if (stopped) return chunk.length;
    }
    return at;
  }

  return (chunk) => {
    let rest = chunk;
    while (!stopped && rest.length > 0) {
      rest = rest.subarray(readHead(rest));
      if (header === undefined || stopped) return;
      const piece = Buffer.from(rest.subarray(0, header.length - read));
      rest = rest.subarray(piece.length);
      if (header.masked)
        for (let index = 0; index < piece.length; index++) piece[index]! ^= mask[(read + index) & 3]!;
      read += piece.length;
      if (piece.length > 0) handler.payload(piece);
      if (read < header.length) return;
      const complete = header;
      header = undefined;
      stopped = !handler.end(complete);
    }
  };
}

/** Returns the size of the head in bytes, which its first two bytes determine. */
function headSize(head: Buffer): number {
  const length = (head[1] ?? 0) & 0x7f;
  const masked = ((head[1] ?? 0) & 0x80) !== 0;
  return 2 + (length === 127 ? 8 : length === 126 ? 2 : 0) + (masked ? 4 : 0);
}

function decodeHead(head: Buffer): FrameHeader {
  const [first = 0, second = 0] = head;
  const short = second & 0x7f;
  return {
    final: (first & 0x80) !== 0,
    reserved: (first & 0x70) !== 0,
    opcode: first & 0x0f,
    masked: (second & 0x80) !== 0,
    length: short === 127 ? Number(head.readBigUInt64BE(2)) : short === 126 ? head.readUInt16BE(2) : short,
  };
}

/** Builds a whole frame as servers send it, which is not masked. */
export function encodeFrame(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = 0x80 | opcode;
  if (length < 126) head[1] = length;
  else if (length < 65_536) {
    head[1] = 126;
    head.writeUInt16BE(length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat([head, payload]);
}
