// `proctor tools call`: exit code 1 when the script failed.
import { ProctorError } from "../../../core/errors.ts";
import type { Json } from "../../../core/json.ts";
import { messageOf } from "../../../core/message-of.ts";
import { parseJson } from "../../../core/parse-json.ts";
import type { CliIo } from "../../cli-io.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { manyLines } from "../../terminal/text.ts";
import { readStdin } from "../read-stdin.ts";
import type { CallToolFlags } from "./flags.ts";

const MAX_INPUT_BYTES = 1024 * 1024;

export async function callTool(name: string, flags: CallToolFlags, context: CommandContext): Promise<number> {
  const { io } = context;
  const input = await readInput(flags.input ?? "{}", io);
  return withHub(context, flags, "write", async ({ platform }) => {
    const result = await platform.scriptTools.call(name, input, io.signal);
    const screen = createScreen(io);
    if (flags.json === true) {
      screen.printJson(result);
      return result.ok ? 0 : 1;
    }
    const beside = createScreen(io, io.stderr);
    for (const line of result.log) beside.print(manyLines(line));
    if (result.ok) screen.printJson(result.output);
    else beside.print(`${beside.paint.red("✗")} ${result.code}  ${manyLines(result.message)}`);
    return result.ok ? 0 : 1;
  });
}

async function readInput(text: string, io: CliIo): Promise<Json> {
  const written = text === "-" ? await readStdin(io, MAX_INPUT_BYTES, "send less") : text;
  try {
    return parseJson(written, "--input");
  } catch (error) {
    throw new ProctorError("USAGE", `${messageOf(error)}\nfor example: --input '{"text": "Hello"}'`);
  }
}
