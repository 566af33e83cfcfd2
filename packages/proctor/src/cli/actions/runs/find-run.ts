// The run that a user means: by its id, by what its id begins with, or `last` for the newest. The one place that knows.
import { ProctorError } from "../../../core/errors.ts";
import { isUuid } from "../../../core/id.ts";
import type { Hub } from "../../../core/ports/hub.ts";
import type { Run } from "../../../core/run.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { oneLine, truncate } from "../../terminal/text.ts";

const PREFIX = /^[0-9a-f][0-9a-f-]*$/i;
const MAX_NAMED = 5;
const TASK_COLUMNS = 40;

export async function findRun(hub: Hub, reference: string): Promise<Run> {
  if (isUuid(reference)) return hub.run(reference);
  if (reference === "last") {
    const [newest] = (await hub.runs({ limit: 1 })).items;
    if (newest !== undefined) return newest;
    throw new ProctorError(
      "RUN_NOT_FOUND",
      `there is no run yet\nstart one: proctor run --agent … --task "…"`,
    );
  }
  if (!PREFIX.test(reference) || reference.length > 36) throw unknown(reference);
  const { items, next_cursor } = await hub.runs({ prefix: reference.toLowerCase(), limit: MAX_NAMED });
  const [only, ...others] = items;
  if (only === undefined) throw unknown(reference);
  if (others.length === 0) return only;
  throw ambiguous(reference, items, next_cursor !== null);
}

function unknown(reference: string): ProctorError {
  return new ProctorError(
    "RUN_NOT_FOUND",
    `there is no run "${oneLine(reference)}"\na run is named by its id, by the beginning of its id, or by "last"; see: proctor runs list`,
  );
}

function ambiguous(reference: string, runs: readonly Run[], more: boolean): ProctorError {
  const lines = runs.map(({ id, status, task, created_at }) => {
    const what = truncate(oneLine(task.description), TASK_COLUMNS);
    return `${id}  ${status}, ${formatAgo(created_at, Date.now())}: ${what}`;
  });
  return new ProctorError(
    "USAGE",
    [`"${reference}" begins the id of several runs: give more of it`, ...lines, ...(more ? ["…"] : [])].join(
      "\n",
    ),
    { details: { ids: runs.map(({ id }) => id) } },
  );
}
