// Words of a command for sh.

export function quote(word: string): string {
  return /^[\w./=:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

export function quoteAll(words: readonly string[]): string {
  return words.map(quote).join(" ");
}
