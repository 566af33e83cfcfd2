// Cancels, pauses or resumes a run, for the doors of runs and of goals.
import type { Hub } from "../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { readOptionalJson } from "../../runtime/http/read-json.ts";
import { validate } from "../../runtime/http/validate.ts";
import type { Call } from "../call.ts";
import { ReasonBody } from "../schemas/run.ts";

export type Verb = "cancel" | "pause" | "resume";

/** `status` is that of the answer: 200 where the run had ended before. */
export async function steer(
  { request, hub }: Pick<Call, "request" | "hub">,
  verb: Verb,
  id: string,
  limitBytes: number,
): Promise<{ run: Run; status: 200 | 202 }> {
  const body = await readOptionalJson(request, { limitBytes });
  const { reason } = validate(ReasonBody, body === undefined ? {} : body, "body");
  const before = await hub.run(id);
  const run = await act(hub, verb, id, reason);
  return { run, status: isTerminal(before.status) ? 200 : 202 };
}

function act(hub: Hub, verb: Verb, id: string, reason: string | undefined): Promise<Run> {
  switch (verb) {
    case "cancel":
      return hub.cancel(id, reason);
    case "pause":
      return hub.pause(id);
    case "resume":
      return hub.resume(id);
  }
}
