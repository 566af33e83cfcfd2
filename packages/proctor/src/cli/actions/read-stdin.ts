// What a command is given on its standard input, as text of a limited size.
import { ProctorError } from "../../core/errors.ts";
import type { CliIo } from "../cli-io.ts";

/** Throws PAYLOAD_TOO_LARGE. */
export async function readStdin({ stdin }: CliIo, maxBytes: number, next: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    if (size > maxBytes) throw tooLarge("stdin", maxBytes, next);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** Returns the error for an input that is too large. `next` says what to do instead. */
export function tooLarge(name: string, maxBytes: number, next: string): ProctorError {
  return new ProctorError(
    "PAYLOAD_TOO_LARGE",
    `${name} is larger than ${maxBytes / 1024 / 1024} MiB\n${next}`,
  );
}
