// Opens the player of a test's user: its script of turns, the script of a mock model, or the judge's model.
import type { CheckServices } from "../check.ts";
import { CONFIGURE_JUDGE } from "../judge/missing-judge.ts";
import type { SuiteTest } from "../suite.ts";
import { createScriptedUser } from "./scripted-user.ts";
import { createSimulatedUser } from "./simulated-user.ts";
import { simulatorFailed, type UserSide } from "./user-side.ts";

/** The name that a mock model is asked for where the test names none. */
const SCRIPTED = "scripted-user";

export function openUser(
  { turns = [], user, task }: SuiteTest,
  { judge, scriptedModel }: CheckServices,
): UserSide {
  if (!user) return createScriptedUser(turns);
  const { script } = user;
  const ask = script ? scriptedModel?.(script) : judge?.ask;
  if (!ask)
    return absent(
      script ? "there is no mock model here" : `no model is configured for it: ${CONFIGURE_JUDGE}`,
    );
  const model = user.model ?? (script ? SCRIPTED : judge?.model) ?? SCRIPTED;
  return createSimulatedUser({ user, task: task.description, ask, model });
}

/** Returns a user's side that cannot play, with the reason. */
function absent(reason: string): UserSide {
  const stop = simulatorFailed(reason);
  return {
    next: () => Promise.resolve(stop),
    answer: () => Promise.resolve(stop),
    notes: () => [],
    used: () => undefined,
  };
}
