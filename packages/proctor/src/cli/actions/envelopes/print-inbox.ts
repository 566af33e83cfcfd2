// `proctor messages inbox`.
import type { InboxEntry, Messages } from "../../../core/ports/messages.ts";
import type { CliIo } from "../../cli-io.ts";
import { hubAction } from "../hub-action.ts";
import { createScreen } from "../../terminal/screen.ts";
import { entryLines } from "./entry-lines.ts";
import type { InboxFlags } from "./flags.ts";

const DEFAULT_LIMIT = 100;

export const printInbox = hubAction(
  "write",
  async ({ platform: { messages }, screen, io }, party: string, flags: InboxFlags) => {
    if (flags.follow !== true) {
      const options = { after: 0, limit: flags.limit ?? DEFAULT_LIMIT, waitMs: 0 };
      const entries = await messages.receive(party, options, io.signal);
      if (entries.length === 0 && flags.json !== true) screen.print(`nothing waits for ${party}`);
      await print(entries, party, messages, flags, io);
      return 0;
    }
    let left = flags.limit ?? Infinity;
    for await (const page of messages.follow(party, 0, io.signal)) {
      const shown = page.slice(0, left);
      await print(shown, party, messages, flags, io);
      left -= shown.length;
      if (left <= 0) return 0;
    }
    return io.signal.aborted ? 130 : 0;
  },
);

async function print(
  entries: readonly InboxEntry[],
  party: string,
  messages: Messages,
  flags: InboxFlags,
  io: CliIo,
): Promise<void> {
  const screen = createScreen(io);
  for (const entry of entries) {
    if (flags.json === true) io.stdout.write(`${JSON.stringify(entry)}\n`);
    else screen.print(...entryLines(entry.envelope, screen, entry.position));
  }
  const last = entries.at(-1);
  if (flags.ack === true && last) await messages.acknowledge(party, last.position);
}
