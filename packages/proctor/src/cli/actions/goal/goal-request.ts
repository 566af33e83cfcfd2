// What `proctor goal` asks for: a text, or a file, and the flags.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ProctorError } from "../../../core/errors.ts";
import type { GoalRequest } from "../../../core/goal.ts";
import type { Json, JsonObject } from "../../../core/json.ts";
import { messageOf } from "../../../core/message-of.ts";
import { parseJson } from "../../../core/parse-json.ts";
import type { CliIo } from "../../cli-io.ts";
import type { Composition } from "../../compose/compose.ts";
import { parsePairs } from "../key-values.ts";
import type { GoalFlags } from "./flags.ts";

const FILE = /\.(?:ya?ml|json)$/i;

export async function goalRequest(
  what: string | undefined,
  flags: GoalFlags,
  composition: Pick<Composition, "readGoal">,
  io: CliIo,
): Promise<GoalRequest> {
  const asked = await source(what, flags, composition, io);
  const { capability, planner, approvePlan, notify, concurrency } = flags;
  const budget = {
    ...asked.budget,
    ...(flags.budgetSeconds !== undefined && { seconds: flags.budgetSeconds }),
    ...(flags.budgetTokens !== undefined && { tokens: flags.budgetTokens }),
    ...(flags.budgetUsd !== undefined && { cost_usd: flags.budgetUsd }),
    ...(flags.budgetRuns !== undefined && { runs: flags.budgetRuns }),
  };
  return {
    ...asked,
    ...(capability !== undefined && { capability }),
    ...(flags.input !== undefined && { input: await readJsonFlag("--input", flags.input, io) }),
    ...(planner !== undefined && { planner }),
    ...(approvePlan === true && { approve_plan: true }),
    ...(Object.keys(budget).length > 0 && { budget }),
    ...(concurrency !== undefined && { concurrency }),
    ...(notify && { approvals: { ...asked.approvals, notify } }),
  };
}

async function source(
  what: string | undefined,
  flags: GoalFlags,
  composition: Pick<Composition, "readGoal">,
  io: CliIo,
): Promise<GoalRequest> {
  const params = paramsOf(flags.param ?? []);
  const given = Object.keys(params).length > 0 ? { params } : {};
  const isFile = what !== undefined && FILE.test(what);
  const file = isFile ? what : flags.plan;
  if (file !== undefined) {
    if (isFile && flags.plan !== undefined)
      throw new ProctorError("USAGE", "the plan is given twice\nname one file, and the goal as text");
    const text = await readText(file, io);
    const goal = isFile || what === undefined ? {} : { goal: what };
    return composition.readGoal(text, file, { ...given, ...goal });
  }
  if (what === undefined || what.trim() === "")
    throw new ProctorError(
      "USAGE",
      `the goal is missing\nfor example: proctor goal plan.yaml, or proctor goal "Summarise the news"`,
    );
  return { goal: what, ...given };
}

/** Reads a value as JSON where it is JSON, and as text otherwise. */
function paramsOf(entries: readonly string[]): JsonObject {
  const pairs = Object.entries(parsePairs("--param", entries));
  return Object.fromEntries(pairs.map(([name, value]) => [name, jsonOrText(value)]));
}

function jsonOrText(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** Throws USAGE. */
export async function readJsonFlag(name: string, given: string, io: CliIo): Promise<Json> {
  const text = given.startsWith("@") ? await readText(given.slice(1), io) : given;
  try {
    return parseJson(text, name);
  } catch (error) {
    throw new ProctorError("USAGE", `${messageOf(error)}\nfor example: ${name} '{"text": "Hello"}'`);
  }
}

async function readText(file: string, io: CliIo): Promise<string> {
  try {
    return await readFile(resolve(io.cwd, file), "utf8");
  } catch (error) {
    throw new ProctorError("FILE_UNREADABLE", `${file}: ${messageOf(error)}`, { cause: error });
  }
}
