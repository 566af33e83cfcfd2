// The file of a mock's calls: a line of JSON for each, one after the other.
import { open } from "node:fs/promises";
import { ProctorError } from "../../../core/errors.ts";

interface CallFile {
  /** Rejects when the line could not be written. */
  write(call: object): Promise<void>;
  close(): Promise<void>;
}

/** Throws USAGE when the file cannot be written. */
export async function openCallFile(path: string, shown: string): Promise<CallFile> {
  const file = await open(path, "a").catch((cause: Error) => {
    const message = `the log ${shown} cannot be written: ${cause.message}\ngive --log another file`;
    throw new ProctorError("USAGE", message, { cause });
  });
  let writing = Promise.resolve();
  return {
    write(call) {
      const mine = writing.then(() => file.appendFile(`${JSON.stringify(call)}\n`));
      writing = mine.catch(() => {});
      return mine;
    },
    async close() {
      await writing;
      await file.close();
    },
  };
}
