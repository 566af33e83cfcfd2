// `proctor runs messages`: what was said, asked and answered in a run, or in its whole conversation.
import { readLog } from "../../../core/read-log.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import { hubAction } from "../hub-action.ts";
import { renderThread, type ThreadEntry } from "../../terminal/thread-lines.ts";
import { findRun } from "./find-run.ts";
import type { MessagesFlags } from "./flags.ts";

export const printMessages = hubAction(
  "read",
  async ({ hub, screen }, reference: string, flags: MessagesFlags) => {
    const run = await findRun(hub, reference);
    if (flags.json === true) {
      const items =
        flags.all === true
          ? (await hub.conversation(run.conversation_id)).messages
          : await hub.messages(run.id);
      screen.printJson({ items });
      return 0;
    }
    const { runs } = flags.all === true ? await hub.conversation(run.conversation_id) : { runs: [run] };
    for (const [index, one] of runs.entries()) {
      const { paint, width } = screen;
      if (index > 0) screen.print("");
      screen.print(...renderThread(one, await readThread(hub, one), { paint, width }));
    }
  },
);

/** Resolves with the entries in the order of the log; those of the task come first, and those of the result last. */
async function readThread(hub: Hub, run: Run): Promise<ThreadEntry[]> {
  const asked: ThreadEntry[] = [];
  for await (const event of readLog(hub, run.id)) {
    if (event.type === "question.asked" || event.type === "question.answered") asked.push({ event });
    if (event.type === "question.withdrawn" || event.type === "question.expired") asked.push({ event });
  }
  const messages = await hub.messages(run.id);
  const said: ThreadEntry[] = messages.map(({ message }) => ({ message }));
  const places = new Map<ThreadEntry, number>();
  for (const [index, { sequence }] of messages.entries()) {
    const entry = said[index];
    if (entry !== undefined) places.set(entry, sequence ?? (index === 0 ? -1 : Infinity));
  }
  const placeOf = (entry: ThreadEntry): number =>
    "event" in entry ? entry.event.sequence : (places.get(entry) ?? Infinity);
  return [...said, ...asked].toSorted((one, other) => compare(placeOf(one), placeOf(other)));
}

function compare(one: number, other: number): number {
  return one === other ? 0 : one - other;
}
