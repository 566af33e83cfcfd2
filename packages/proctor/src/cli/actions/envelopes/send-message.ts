// `proctor messages send`.
import type { Envelope, EnvelopeDraft, EnvelopeType } from "../../../core/envelope.ts";
import { ProctorError } from "../../../core/errors.ts";
import { uuidV7 } from "../../../core/id.ts";
import type { Json } from "../../../core/json.ts";
import { parseJson } from "../../../core/parse-json.ts";
import type { Messages } from "../../../core/ports/messages.ts";
import type { CliIo } from "../../cli-io.ts";
import { withHub, type CommandContext } from "../../compose/compose.ts";
import { createScreen } from "../../terminal/screen.ts";
import { readStdin } from "../read-stdin.ts";
import type { SendFlags } from "./flags.ts";
import { entryLines } from "./entry-lines.ts";

const MAX_STDIN_BYTES = 1024 * 1024;
const MS_PER_SECOND = 1000;

export async function sendMessage(to: string, flags: SendFlags, context: CommandContext): Promise<number> {
  const { io } = context;
  const draft = await draftOf(to, flags, io);
  return withHub(context, flags, "write", async ({ platform, where }) => {
    if (flags.wait === true && where === "in-process")
      throw new ProctorError("USAGE", "--wait needs a hub that delivers the answer\nstart one: proctor up");
    const screen = createScreen(io);
    const sent = await platform.messages.send(draft);
    const { envelope, ...rest } = sent;
    if (flags.wait === true) {
      const answer = await awaitAnswer(platform.messages, envelope.from, envelope.id, io.signal);
      if (answer === undefined) return 130;
      if (flags.json === true) screen.printJson(answer);
      else screen.print(...entryLines(answer, screen));
      return answer.type === "error" ? 1 : 0;
    }
    if (flags.json === true) screen.printJson({ id: envelope.id, from: envelope.from, ...rest });
    else {
      const again = sent.created ? "sent" : "was sent before";
      screen.print(`${screen.paint.green("✓")} ${again}: ${envelope.id}, for ${sent.receiver}`);
      if (sent.run_id !== undefined) screen.print(`   watch: proctor runs events ${sent.run_id} --follow`);
      screen.print(`   answers: proctor messages inbox ${envelope.from}`);
    }
    return 0;
  });
}

async function draftOf(to: string, flags: SendFlags, io: CliIo): Promise<EnvelopeDraft> {
  const { action = "execute", type = "request", from, id = uuidV7(), inReplyTo, ttl } = flags;
  return {
    id,
    to,
    // The hub refuses what is not one of the five types.
    type: type as EnvelopeType,
    action,
    payload: await payloadOf(flags, io),
    ...(from !== undefined && { from }),
    ...(inReplyTo !== undefined && { inReplyTo }),
    ...(ttl !== undefined && { ttl: ttl * MS_PER_SECOND }),
  };
}

async function payloadOf({ text, payload }: SendFlags, io: CliIo): Promise<Json> {
  if (text !== undefined && payload !== undefined)
    throw new ProctorError("USAGE", "--text and --payload are the same thing in two forms\ngive one of them");
  const given = text ?? payload;
  if (given === undefined) return null;
  const read = given === "-" ? await readStdin(io, MAX_STDIN_BYTES, "send the address of it instead") : given;
  if (text !== undefined) return read;
  try {
    return parseJson(read, "--payload");
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    throw new ProctorError("USAGE", `${error.message}\nfor text: --text "${read.slice(0, 40)}"`);
  }
}

/** Resolves with the last answer to the envelope. Other envelopes wait in the inbox as before. */
async function awaitAnswer(
  messages: Messages,
  receiver: string,
  id: string,
  signal: AbortSignal,
): Promise<Envelope | undefined> {
  for await (const page of messages.follow(receiver, 0, signal)) {
    for (const { envelope } of page) {
      const isLast = envelope.type === "response" || envelope.type === "error";
      if (envelope.inReplyTo === id && isLast) return envelope;
    }
  }
  return undefined;
}
