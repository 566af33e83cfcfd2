// Reads one of Proctor's text files whole, with a limit, and says in words why it cannot.
import { open } from "node:fs/promises";
import { ProctorError } from "../../core/errors.ts";

const MAX_FILE_BYTES = 5 * 1024 * 1024;

const REASONS: Record<string, [what: string, next: string]> = {
  ENOENT: ["there is no such file", "check the path; it is taken from the current directory"],
  ENOTDIR: ["there is no such file", "a part of the path is a file, not a directory"],
  EISDIR: ["is a directory, not a file", "name the YAML file inside it"],
  EACCES: ["may not be read", "check the permissions of the file and of its directories"],
  EPERM: ["may not be read", "check the permissions of the file and of its directories"],
  ELOOP: ["is a symbolic link that leads to itself", "name the real file"],
  ENAMETOOLONG: ["is too long for a file name", "check the path"],
};

export async function readText(file: string, shown = file): Promise<string> {
  let bytes: Uint8Array;
  try {
    bytes = await readLimited(file, shown);
  } catch (error) {
    throw ProctorError.is(error) ? error : unreadable(shown, error);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw fileError(shown, "is not UTF-8 text", "save it in the encoding UTF-8");
  }
}

/** Never asks for the size first: a pipe has none, and a file may grow while it is read. */
async function readLimited(file: string, shown: string): Promise<Uint8Array> {
  const handle = await open(file, "r");
  try {
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      // A stream without an encoding yields buffers.
      const bytes = chunk as Uint8Array;
      size += bytes.byteLength;
      if (size > MAX_FILE_BYTES) throw fileError(shown, "is larger than 5 MB", "split it into several files");
      chunks.push(bytes);
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}

function unreadable(file: string, cause: unknown): ProctorError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const [what, next] = REASONS[code] ?? [`cannot be read (${code || String(cause)})`, "check the path"];
  return fileError(file, what, next, cause);
}

function fileError(file: string, what: string, next: string, cause?: unknown): ProctorError {
  return new ProctorError("FILE_UNREADABLE", `${file}  ${what}\n   ${next}`, {
    details: { file, what, next },
    cause,
  });
}
