// Refuses to work on a database into which only a part of another was moved.
import { ProctorError } from "../../core/errors.ts";
import type { HubFacts } from "../../core/ports/hub-facts.ts";

export async function refuseUnfinished(facts: HubFacts): Promise<void> {
  if ((await facts.read("moving")) === undefined) return;
  throw new ProctorError(
    "STORE_UNAVAILABLE",
    "the database holds a part of another one: a move into it was interrupted\n" +
      "Finish it with the same `proctor migrate` command, or use an empty database.",
  );
}
