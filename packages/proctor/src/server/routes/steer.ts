// Cancels, pauses or resumes a run, for the routes of runs and of goals.
import type { Hub } from "../../core/ports/hub.ts";
import { isTerminal, type Run } from "../../core/run.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import type { z } from "zod";
import type { Call } from "../call.ts";
import { readOptionalBody } from "../read-body.ts";
import { routesOf, type Route } from "../route.ts";
import { ReasonBody } from "../schemas/run.ts";

type Verb = "cancel" | "pause" | "resume";

interface Door {
  shared: Parameters<typeof routesOf>[0];
  noun: "run" | "goal";
  schema: z.ZodType;
  /** Returns the id of the run that the path names. */
  idOf: (call: Call) => string | Promise<string>;
  /** Returns what is answered about the run. */
  show: (run: Run) => object | Promise<object>;
  /** Summary of each operation, for the OpenAPI document. */
  says: Record<Verb, string>;
  bodyLimitBytes: number;
}

export function steeringRoutes({ shared, noun, schema, idOf, show, says, bodyLimitBytes }: Door): Route[] {
  const title = noun === "run" ? "Run" : "Goal";
  const summaries = {
    cancel: `Cancel a ${noun}`,
    pause: `Pause a ${noun}`,
    resume: `Resume a paused ${noun}`,
  };
  const repeated = { 200: { description: `The ${noun} was cancelled before and is as it was.`, schema } };
  return routesOf(
    shared,
    (["cancel", "pause", "resume"] as const).map((verb) => ({
      id: `${verb}${title}`,
      at: `POST /${noun}s/{id}/${verb}` as const,
      summary: summaries[verb],
      description: says[verb],
      body: { schema: ReasonBody, required: false, example: { reason: "no longer needed" } },
      responses: {
        ...(verb === "cancel" && repeated),
        202: { description: `The ${noun}, with the request recorded.`, schema },
        400: "The body is malformed.",
        404: `There is no such ${noun}.`,
        409: `The ${noun}'s status does not allow this.`,
        504: `The process that carries out the ${noun} did not react in time (\`OWNER_SILENT\`).`,
      },
      async handle(call: Call) {
        const id = await idOf(call);
        const { reason } = await readOptionalBody(call.request, ReasonBody, bodyLimitBytes);
        const before = await call.hub.run(id);
        const run = await steer(call.hub, verb, id, reason);
        return jsonResponse(await show(run), isTerminal(before.status) ? 200 : 202);
      },
    })),
  );
}

function steer(hub: Hub, verb: Verb, id: string, reason: string | undefined): Promise<Run> {
  switch (verb) {
    case "cancel":
      return hub.cancel(id, reason);
    case "pause":
      return hub.pause(id);
    case "resume":
      return hub.resume(id);
  }
}
