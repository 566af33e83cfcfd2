// `proctor runs say`.
import { ProctorError } from "../../../core/errors.ts";
import { MAX_MESSAGE_CHARS, textPart } from "../../../core/message.ts";
import type { CliIo } from "../../cli-io.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { readStdin } from "../read-stdin.ts";
import { findRun } from "./find-run.ts";
import type { DocumentFlags } from "../../flags.ts";

export async function sayToRun(
  reference: string,
  words: readonly string[],
  flags: DocumentFlags,
  context: CommandContext,
): Promise<number> {
  const text = await readText(words, context.io);
  return withHub(context, flags, "write", async ({ hub }) => {
    const { id } = await findRun(hub, reference);
    const message = await say(() => hub.say(id, { parts: [textPart(text)] }), id);
    const screen = createScreen(context.io);
    if (flags.json === true) screen.printJson(message);
    else {
      screen.print(
        `${screen.paint.green("»")} said to ${id}`,
        `   watch: proctor runs events ${id} --follow`,
      );
    }
    return 0;
  });
}

async function readText(words: readonly string[], io: CliIo): Promise<string> {
  const fromStdin = words.length === 1 && words[0] === "-";
  const text = fromStdin ? await readStdin(io, MAX_MESSAGE_CHARS, "say it in parts") : words.join(" ");
  if (text.trim() !== "") return text;
  throw new ProctorError(
    "USAGE",
    `there is nothing to say\nfor example: proctor runs say last "Use the metric system"`,
  );
}

/** Sends to a run. An ended run takes no messages: the error then names the command to go on with. */
async function say<T>(send: () => Promise<T>, id: string): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!ProctorError.is(error) || error.code !== "RUN_ENDED") throw error;
    const [what = ""] = error.message.split("\n");
    const next = `go on with its conversation: proctor run --continue ${id} --task "…"`;
    throw new ProctorError("RUN_ENDED", `${what}\n${next}`, { cause: error });
  }
}
