// What a check written in JavaScript may return, as a verdict.
import { z } from "zod";
import type { Json, JsonObject } from "../../core/json.ts";
import { printable } from "../../core/printable.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import type { Verdict } from "../verdict.ts";
import { shorten } from "../texts/compared.ts";
import { cut, shown } from "../texts/words.ts";

const MESSAGE_CHARS = 1000;

const score = z.number().min(0).max(1).optional();
const message = z.string().optional();
const details = z.record(z.string(), z.json()).optional();

const passOrNot = z.object({ pass: z.boolean(), score, message, details });
const verdictLike = z.object({
  outcome: z.enum(["pass", "fail", "unevaluated"]),
  score,
  message,
  details,
});

/** `threshold`: from which score on a bare number is a pass. */
export function toVerdict(value: unknown, name: string, threshold: number): Verdict {
  if (typeof value === "boolean") return (value ? pass : fail)(`${name} says ${value ? "yes" : "no"}`);
  if (typeof value === "number" && value >= 0 && value <= 1) {
    const said = `${name} says ${value}, at least ${threshold} expected`;
    return { ...(value >= threshold ? pass : fail)(said), score: value };
  }
  const simple = passOrNot.safeParse(value);
  if (simple.success) return build({ ...simple.data, outcome: simple.data.pass ? "pass" : "fail" }, name);
  const whole = verdictLike.safeParse(value);
  if (whole.success) return build(whole.data, name);
  return unevaluated(
    `${name} returned ${inWords(value)}, which is no verdict: true, false, 0 to 1, or {pass, score?, message?} expected`,
  );
}

function build({ outcome, score, message, details }: z.output<typeof verdictLike>, name: string): Verdict {
  const said =
    message === undefined || message === ""
      ? `${name} says ${outcome}`
      : printable(cut(message, MESSAGE_CHARS));
  const base: Verdict = { outcome, message: said };
  const kept = details && shortened(details);
  return { ...base, ...(score !== undefined && { score }), ...(kept && { details: kept }) };
}

function shortened(details: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(details).map(([key, value]) => [key, shorten(value ?? null)]));
}

function inWords(value: unknown): string {
  if (value === undefined) return "nothing";
  try {
    // What JSON makes of it, or throws over.
    return shown(JSON.parse(JSON.stringify(value) ?? "null") as Json);
  } catch {
    return typeof value;
  }
}
