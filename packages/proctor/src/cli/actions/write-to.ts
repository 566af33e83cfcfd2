// What a command made: on stdout, or in the file that `--output` names.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProctorError } from "../../core/errors.ts";
import { messageOf } from "../../core/message-of.ts";
import type { CliIo } from "../cli-io.ts";
import { createScreen } from "../terminal/screen.ts";

export async function writeTo(
  output: string | undefined,
  text: string,
  io: CliIo,
  next: (file: string) => readonly string[] = () => [],
): Promise<void> {
  if (output === undefined) {
    io.stdout.write(text);
    return;
  }
  try {
    await writeFile(resolve(io.cwd, output), text);
  } catch (cause) {
    const message = `${output} cannot be written (${messageOf(cause)})\nchoose another file`;
    throw new ProctorError("USAGE", message, { cause });
  }
  createScreen(io).print(`written: ${output}`, ...next(output));
}
