// A part of a document with limited room. What does not fit is cut from its end, and counted.

export interface Part {
  add(render: () => string): void;
  /** Returns what fits into the room, and takes that much from the room. */
  take(room: { left: number }): { text: string; leftOut: number; count: number };
}

/** Keeps no more than could ever be shown. */
export function createPart(limit: number): Part {
  const items: string[] = [];
  let size = 0;
  let dropped = 0;
  return {
    add(render) {
      const item = dropped === 0 ? render() : "";
      if (dropped > 0 || size + item.length > limit) dropped += 1;
      else {
        items.push(item);
        size += item.length;
      }
    },
    take(room) {
      let text = "";
      for (const [index, item] of items.entries()) {
        if (item.length > room.left) {
          // Less important parts get nothing once this one is cut.
          room.left = 0;
          return { text, leftOut: dropped + items.length - index, count: dropped + items.length };
        }
        text += item;
        room.left -= item.length;
      }
      return { text, leftOut: dropped, count: dropped + items.length };
    },
  };
}
