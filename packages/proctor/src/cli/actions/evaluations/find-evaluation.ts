// The evaluation that a user means: by its id, by what its id begins with, or `last` for the newest.
import { ProctorError } from "../../../core/errors.ts";
import type { Evaluation } from "../../../core/evaluation.ts";
import { isUuid } from "../../../core/id.ts";
import type { Evaluations } from "../../../core/ports/evaluations.ts";
import { formatAgo } from "../../terminal/amounts.ts";
import { oneLine } from "../../terminal/text.ts";

const PREFIX = /^[0-9a-f][0-9a-f-]{0,35}$/i;
const MAX_NAMED = 5;

export async function findEvaluation(
  evaluations: Pick<Evaluations, "get" | "list">,
  reference: string,
): Promise<Evaluation> {
  if (isUuid(reference)) return evaluations.get(reference.toLowerCase());
  if (reference === "last") {
    const [newest] = (await evaluations.list({ limit: 1 })).items;
    if (newest !== undefined) return newest;
    throw new ProctorError(
      "EVALUATION_NOT_FOUND",
      "there is no evaluation yet\nmake one: proctor test suites/",
    );
  }
  const { items } = PREFIX.test(reference)
    ? await evaluations.list({ prefix: reference.toLowerCase(), limit: MAX_NAMED })
    : { items: [] };
  const [only, ...others] = items;
  if (only === undefined) throw unknown(reference);
  if (others.length === 0) return only;
  const lines = items.map(
    ({ id, name, status, started_at }) =>
      `${id}  ${status}, ${formatAgo(started_at, Date.now())}: ${oneLine(name)}`,
  );
  throw new ProctorError(
    "USAGE",
    [`"${reference}" begins the id of several evaluations: give more of it`, ...lines].join("\n"),
    { details: { ids: items.map(({ id }) => id) } },
  );
}

function unknown(reference: string): ProctorError {
  return new ProctorError(
    "EVALUATION_NOT_FOUND",
    `there is no evaluation "${oneLine(reference)}"\nan evaluation is named by its id, by the beginning of its id, or by "last"; see: proctor evaluations list`,
  );
}
