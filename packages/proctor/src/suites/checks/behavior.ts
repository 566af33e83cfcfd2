// Several statements about the calls of a run in one check, as suites of the ATP platform have it.
import { z } from "zod";
import type { Check, CheckSubject } from "../check.ts";
import { quote } from "../../core/printable.ts";
import { combineOutcomes, fail, pass, unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { expectedCall, mismatch, whyNone } from "../calls/expected-call.ts";
import type { ExpectedCall } from "../calls/expected-call.ts";
import { maxToolCalls, minToolCalls } from "./tool-call-limits.ts";
import { forbiddenTools, mustUseTools } from "./named-tools.ts";
import { noErrors } from "./no-errors.ts";
import { toolCalls, toolNames, unnamed } from "../calls/tool-calls.ts";
import type { ToolCall } from "../calls/tool-calls.ts";
import { andMore, count } from "../texts/words.ts";

const limit = z.int().min(0);
const config = z
  .strictObject({
    must_use_tools: toolNames.optional(),
    forbidden_tools: toolNames.optional(),
    max_tool_calls: limit.optional(),
    min_tool_calls: limit.optional(),
    no_errors: z.boolean().optional(),
    expected_tool_calls: z.array(expectedCall).min(1).optional(),
    forbidden_tool_calls: z.array(expectedCall).min(1).optional(),
    tool_call_order: z.enum(["any", "expected"]).default("any"),
  })
  .superRefine(({ tool_call_order: _order, no_errors: noErrors, ...rest }, context) => {
    if (noErrors === true || Object.values(rest).some((value) => value !== undefined)) return;
    context.addIssue({ code: "custom", message: "there is nothing to check" });
  });

type Config = z.output<typeof config>;

export const behavior: Check<Config> = {
  type: "behavior",
  config,
  async evaluate(subject, config) {
    const verdicts = await verdictsOf(subject, config);
    const outcome = combineOutcomes(verdicts.map((verdict) => verdict.outcome));
    const said = outcome === "pass" ? verdicts : verdicts.filter((verdict) => verdict.outcome !== "pass");
    return { outcome, message: said.map(({ message }) => message).join("; ") };
  },
};

async function verdictsOf(subject: CheckSubject, config: Config): Promise<Verdict[]> {
  const {
    must_use_tools: wanted,
    forbidden_tools: unwanted,
    max_tool_calls: max,
    min_tool_calls: min,
  } = config;
  const observed = false;
  const verdicts: Verdict[] = [];
  if (wanted) verdicts.push(await mustUseTools.evaluate(subject, { tools: wanted, observed }));
  if (unwanted) verdicts.push(await forbiddenTools.evaluate(subject, { tools: unwanted, observed }));
  if (max !== undefined) verdicts.push(await maxToolCalls.evaluate(subject, { limit: max, observed }));
  if (min !== undefined) verdicts.push(await minToolCalls.evaluate(subject, { limit: min, observed }));
  if (config.no_errors) verdicts.push(await noErrors.evaluate(subject, {}));
  const { expected_tool_calls: expected, forbidden_tool_calls: forbidden } = config;
  if (!expected && !forbidden) return verdicts;
  const calls = await toolCalls(subject, false);
  if (expected) verdicts.push(findExpected(expected, calls, config.tool_call_order));
  if (forbidden) verdicts.push(findForbidden(forbidden, calls));
  return verdicts;
}

/** In any order, each expectation is looked for by itself: one call may satisfy two of them. */
function findExpected(
  expected: readonly ExpectedCall[],
  calls: readonly ToolCall[],
  order: Config["tool_call_order"],
): Verdict {
  let from = 0;
  for (const one of expected) {
    const index = calls.findIndex((call, place) => place >= from && mismatch(one, call) === undefined);
    if (index === -1) {
      const after = from > 0 ? ` (looked for after event ${calls[from - 1]?.sequence})` : "";
      return unlessUnclear(fail(`${whyNone(one, calls)}${after}`), calls);
    }
    if (order === "expected") from = index + 1;
  }
  return pass(`${count(expected.length, "expected call")} found`);
}

function findForbidden(forbidden: readonly ExpectedCall[], calls: readonly ToolCall[]): Verdict {
  const wrong = calls.filter((call) => forbidden.some((one) => mismatch(one, call) === undefined));
  const [first] = wrong;
  if (!first) return unlessUnclear(pass("no forbidden call"), calls);
  const name = quote(first.tool ?? "?");
  return fail(`forbidden call of ${name} in event ${first.sequence}${andMore(wrong.length)}`);
}

/** A call without a tool name may be the one that was looked for. */
function unlessUnclear(verdict: Verdict, calls: readonly ToolCall[]): Verdict {
  const unclear = unnamed(calls);
  return unclear === undefined ? verdict : unevaluated(`${verdict.message}, but ${unclear}`);
}
