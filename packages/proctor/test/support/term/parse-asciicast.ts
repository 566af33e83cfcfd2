// A reader of asciicast v2, as strict as the format's description: for tests of what we write.
import { isUtf8 } from "node:buffer";

export interface ParsedAsciicast {
  header: Record<string, unknown>;
  events: [seconds: number, code: string, data: string][];
}

/** Throws when the file is no asciicast. */
export function parseAsciicast(file: Uint8Array | undefined): ParsedAsciicast {
  if (file === undefined) throw new Error("there is no file");
  if (!isUtf8(file)) throw new Error("not UTF-8");
  const [first = "", ...rest] = Buffer.from(file).toString("utf8").split("\n");
  if (rest.pop() !== "") throw new Error("the last line has no end");
  const header = JSON.parse(first) as Record<string, unknown>;
  if (header["version"] !== 2) throw new Error("not version 2");
  for (const key of ["width", "height"]) {
    if (!Number.isInteger(header[key]) || Number(header[key]) <= 0) throw new Error(`${key} is no size`);
  }
  let last = 0;
  const events = rest.map((line): [number, string, string] => {
    const event: unknown = JSON.parse(line);
    if (!Array.isArray(event) || event.length !== 3) throw new Error(`no event: ${line}`);
    const [seconds, code, data] = event as unknown[];
    if (typeof seconds !== "number" || seconds < last) throw new Error(`time goes back: ${line}`);
    if (typeof code !== "string" || !["o", "i", "m", "r"].includes(code)) throw new Error(`no code: ${line}`);
    if (typeof data !== "string") throw new Error(`no data: ${line}`);
    last = seconds;
    return [seconds, code, data];
  });
  return { header, events };
}
