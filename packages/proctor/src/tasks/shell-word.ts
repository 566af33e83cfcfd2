// A text as one word of a shell command, whatever is in it.

export function shellWord(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
