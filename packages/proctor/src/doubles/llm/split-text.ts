// Cuts a text into pieces of a given number of characters, never through a character that takes two code units.

export function splitText(text: string, chars: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  let count = 0;
  for (const character of text) {
    piece += character;
    if (++count < chars) continue;
    pieces.push(piece);
    piece = "";
    count = 0;
  }
  return piece === "" ? pieces : [...pieces, piece];
}
