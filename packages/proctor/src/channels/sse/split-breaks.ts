// Finds the line breaks of an event stream, \r\n, \n or \r, even when \r and \n come in different chunks.

const LF = 10;
const CR = 13;

/** Feeds each piece that a break ends to `onEnd`, and what remains of a chunk to `onRest`. */
export function splitBreaks(
  onEnd: (piece: Buffer) => void,
  onRest: (piece: Buffer) => void,
): (chunk: Buffer) => void {
  let afterReturn = false;

  return (chunk) => {
    if (chunk.length === 0) return;
    let start = afterReturn && chunk[0] === LF ? 1 : 0;
    afterReturn = chunk.at(-1) === CR;
    let feed = chunk.indexOf(LF, start);
    let carriage = chunk.indexOf(CR, start);
    while (feed !== -1 || carriage !== -1) {
      const end = feed === -1 || (carriage !== -1 && carriage < feed) ? carriage : feed;
      onEnd(chunk.subarray(start, end));
      start = end === carriage && feed === carriage + 1 ? end + 2 : end + 1;
      if (feed !== -1 && feed < start) feed = chunk.indexOf(LF, start);
      if (carriage !== -1 && carriage < start) carriage = chunk.indexOf(CR, start);
    }
    onRest(chunk.subarray(start));
  };
}
