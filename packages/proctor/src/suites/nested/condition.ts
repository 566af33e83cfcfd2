// A condition of `composite`: a check, or an operator over other conditions.
import { z } from "zod";
import { isJsonObject } from "../../core/json.ts";
import type { CheckSubject } from "../check.ts";
import { dispatch } from "../../runtime/yaml/findings.ts";
import type { Outcome } from "../verdict.ts";
import { allOf, anyOf, opposite } from "./kleene.ts";
import { judgeNested, nestedCheck } from "./nested.ts";
import type { Judged, NestedCheck, Registry } from "./nested.ts";

const COMPARE = {
  ">=": (score: number, value: number) => score >= value,
  ">": (score: number, value: number) => score > value,
  "<=": (score: number, value: number) => score <= value,
  "<": (score: number, value: number) => score < value,
  "==": (score: number, value: number) => Math.abs(score - value) < 1e-9,
  "!=": (score: number, value: number) => Math.abs(score - value) >= 1e-9,
};

type Comparator = keyof typeof COMPARE;
type Threshold = { operator: "threshold"; value: number; comparator: Comparator; condition: Condition };
export type Branch = { operator: "and" | "or"; conditions: Condition[] };
type Condition = NestedCheck | Branch | { operator: "not"; condition: Condition } | Threshold;

/** The bounds of the share that passes: 1 to 1 for a pass, 0 to 1 for an unevaluated check. */
interface Weighed extends Judged {
  low: number;
  high: number;
}

/** The checks of a condition, at whatever depth. */
export function leavesOf(condition: Condition): NestedCheck[] {
  if ("type" in condition) return [condition];
  return "conditions" in condition ? condition.conditions.flatMap(leavesOf) : leavesOf(condition.condition);
}

export function conditionSchema(registry: Registry): z.ZodType<Condition> {
  const leaf = nestedCheck(registry);
  const condition: z.ZodType<Condition> = dispatch<Condition>((value) => {
    if (!isJsonObject(value) || value["operator"] === undefined) return leaf;
    switch (value["operator"]) {
      case "and":
      case "or":
        return z.strictObject({ operator: z.enum(["and", "or"]), conditions: z.array(condition).min(1) });
      case "not":
        return z.strictObject({ operator: z.literal("not"), condition: required });
      case "threshold":
        return threshold;
      default:
        return unknownOperator;
    }
  });
  const required = z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined) context.addIssue({ code: "custom", message: `missing key "condition"` });
    })
    .pipe(condition);
  const threshold = z.strictObject({
    operator: z.literal("threshold"),
    value: z.number().min(0).max(1),
    // The keys are those of the type.
    comparator: z.enum(Object.keys(COMPARE) as [Comparator, ...Comparator[]]).default(">="),
    condition: required,
  });
  return condition;
}

const unknownOperator = z
  .object({ operator: z.enum(["and", "or", "not", "threshold"]) })
  .transform((): Condition => z.NEVER);

export async function weigh(
  condition: Condition,
  subject: CheckSubject,
  registry: Registry,
): Promise<Weighed> {
  if (!("operator" in condition))
    return weighLeaf(await judgeNested(condition, subject, registry), condition.type);
  switch (condition.operator) {
    case "and":
    case "or":
      return weighBranch(condition, subject, registry);
    case "not": {
      const { outcome, message, low, high } = await weigh(condition.condition, subject, registry);
      return { name: "not", outcome: opposite(outcome), message, low: 1 - high, high: 1 - low };
    }
    case "threshold": {
      const { value, comparator, condition: inner } = condition;
      const { low, high, message } = await weigh(inner, subject, registry);
      const outcome = between(COMPARE[comparator], low, high, value);
      const found = low === high ? `${low}` : `between ${low} and ${high}`;
      return {
        name: "threshold",
        outcome,
        message: `${found}, ${comparator} ${value} expected; ${message}`,
        low,
        high,
      };
    }
    default:
      return condition satisfies never;
  }
}

/** The outcome is decided when no value between the bounds would change it. */
function between(
  test: (score: number, value: number) => boolean,
  low: number,
  high: number,
  value: number,
): Outcome {
  const inside = low < value && value < high;
  const answers = new Set([test(low, value), test(high, value), ...(inside ? [test(value, value)] : [])]);
  if (answers.size > 1) return "unevaluated";
  return answers.has(true) ? "pass" : "fail";
}

async function weighBranch(
  { operator, conditions }: Branch,
  subject: CheckSubject,
  registry: Registry,
): Promise<Weighed> {
  const parts: Weighed[] = [];
  for (const condition of conditions) parts.push(await weigh(condition, subject, registry));
  const outcome = (operator === "and" ? allOf : anyOf)(parts.map((part) => part.outcome));
  const join = operator === "and" ? mean : (numbers: number[]) => Math.max(...numbers);
  const told = parts.filter((part) => outcome === "pass" || part.outcome !== "pass");
  const message = told.map(({ name, message }) => `${name}: ${message}`).join("; ");
  return {
    name: operator,
    outcome,
    message,
    low: join(parts.map(({ low }) => low)),
    high: join(parts.map(({ high }) => high)),
  };
}

function weighLeaf({ outcome, message }: { outcome: Outcome; message: string }, name: string): Weighed {
  return { name, outcome, message, low: outcome === "pass" ? 1 : 0, high: outcome === "fail" ? 0 : 1 };
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
