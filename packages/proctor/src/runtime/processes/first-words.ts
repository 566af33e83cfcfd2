// The beginning of what a program says on standard error, for the message of an error.

const MAX_CHARACTERS = 1000;

/** Reads the stream to its end, so that the program is never held back. */
export async function firstWords(stream: NodeJS.ReadableStream): Promise<string> {
  let said = "";
  for await (const piece of stream) if (said.length < MAX_CHARACTERS) said += String(piece);
  return said.slice(0, MAX_CHARACTERS).trim();
}
