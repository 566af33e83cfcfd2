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

export function createByteBuffer(): ByteBuffer {
  let room = Buffer.alloc(0);
  let length = 0;

  function reserve(size: number): void {
    if (size <= room.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(size, room.length * 2, SMALLEST));
    room.copy(larger, 0, 0, length);
    room = larger;
  }

  return {
    get length() {
      return length;
    },
    append(bytes) {
      reserve(length + bytes.length);
      room.set(bytes, length);
      length += bytes.length;
    },
    view: (end = length) => room.subarray(0, Math.min(end, length)),
    clear() {
      length = 0;
      if (room.length > KEPT_ROOM) room = Buffer.alloc(0);
    },
  };
}
