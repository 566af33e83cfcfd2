// The input data of a task: a JSON object from a file or from stdin.
import { messageOf } from "../../../core/message-of.ts";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import { isJsonObject, type JsonObject } from "../../../core/json.ts";
import { refuseInexactNumbers } from "../../../core/json-numbers.ts";
import type { CliIo } from "../../cli-io.ts";
import { readStdin, tooLarge } from "../read-stdin.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const ELSEWHERE = "put it where the agent can read it, and name that place in the input";

export async function readInput(source: string, io: CliIo): Promise<JsonObject> {
  const name = source === "-" ? "stdin" : source;
  const text = source === "-" ? await readStdin(io, MAX_BYTES, ELSEWHERE) : await readText(source, io.cwd);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = messageOf(error);
    throw new ProctorError("INVALID_REQUEST", `${name} is not JSON: ${reason}\n--input takes a JSON object`);
  }
  if (!isJsonObject(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
    throw new ProctorError(
      "INVALID_REQUEST",
      `${name} holds ${kind}, not a JSON object\nwrap it: {"data": …}`,
    );
  }
  refuseInexactNumbers(text);
  return value;
}

async function readText(file: string, cwd: string): Promise<string> {
  const path = resolve(cwd, file);
  const bytes = await readFile(path).catch((error: unknown) => {
    const reason =
      (error as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : String(error);
    throw new ProctorError("FILE_UNREADABLE", `--input ${file}: ${reason}`, { cause: error });
  });
  if (bytes.length > MAX_BYTES) throw tooLarge(file, MAX_BYTES, ELSEWHERE);
  return bytes.toString("utf8");
}
