// A message that the model is saying: its first text opens it. Pieces never end in the middle of a character, because half of one cannot be
// stored.
import { randomUUID } from "node:crypto";
import type { AgentReport } from "../../core/ports/driver.ts";

export interface Saying {
  extend(text: string): AgentReport[];
  /** Returns no reports when nothing was said. */
  close(): AgentReport[];
}

/** The first half of a character that JSON can write in two escapes, which servers send in two pieces. */
const HALF = /[\uD800-\uDBFF]$/;

export function createSaying(): Saying {
  let messageId: string | undefined;
  let held = "";

  function report(text: string, last: boolean): AgentReport[] {
    messageId ??= randomUUID();
    return [{ kind: "text", messageId, part: 0, text, last }];
  }

  return {
    extend(text) {
      const whole = held + text;
      held = HALF.exec(whole)?.[0] ?? "";
      const said = held === "" ? whole : whole.slice(0, -1);
      return said === "" ? [] : report(said, false);
    },
    close: () => (messageId === undefined && held === "" ? [] : report(held.toWellFormed(), true)),
  };
}
