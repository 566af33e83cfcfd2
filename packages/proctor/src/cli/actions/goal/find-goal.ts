// The goal that a user means: by its id, by what its id begins with, or `last` for the newest.
import { ProctorError } from "../../../core/errors.ts";
import type { OpenHub } from "../../compose/open-hub.ts";
import { findRun } from "../runs/find-run.ts";

export async function findGoal(
  { hub, platform }: Pick<OpenHub, "hub" | "platform">,
  reference: string,
): Promise<string> {
  if (reference !== "last") return (await findRun(hub, reference)).id;
  const [newest] = (await platform.goals.list({ limit: 1 })).items;
  if (newest !== undefined) return newest.id;
  throw new ProctorError("GOAL_NOT_FOUND", "there is no goal yet\nstart one: proctor goal plan.yaml");
}
