// A growing run of bytes. Whatever the size of the pieces it is fed, it costs at most twice what it holds.

export interface ByteBuffer {
  readonly length: number;
  append(bytes: Uint8Array): void;
  /** The first bytes, as a view that is valid until the next `append` or `clear`. */
  view(end?: number): Buffer;
  clear(): void;
}

const SMALLEST = 4 * 1024;
/** Room that is kept for the next line instead of being given back. */
const KEPT_ROOM = 64 * 1024;
const NO_ROOM = Buffer.alloc(0);

export function createByteBuffer(): ByteBuffer {
  let room = NO_ROOM;

  function reserve(size: number): void {
    if (size <= room.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(size, room.length * 2, SMALLEST));
    room.copy(larger, 0, 0, buffer.length);
    room = larger;
  }

  const buffer: ByteBuffer & { length: number } = {
    length: 0,
    append(bytes) {
      reserve(buffer.length + bytes.length);
      room.set(bytes, buffer.length);
      buffer.length += bytes.length;
    },
    view: (end = buffer.length) => room.subarray(0, Math.min(end, buffer.length)),
    clear() {
      buffer.length = 0;
      if (room.length > KEPT_ROOM) room = NO_ROOM;
    },
  };
  return buffer;
}
