// What an agent with the capability `review` answered, as a verdict. Several spellings are understood; what contradicts itself, or says
// nothing that is one of the four verdicts, is trouble and never a guess.
import { findJson } from "../../core/find-json.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/json.ts";
import type { ReviewVerdict } from "../../core/plan.ts";
import { shorten } from "../../core/shorten.ts";

export interface ParsedVerdict {
  verdict: ReviewVerdict;
  feedback?: Json;
  reason?: string;
  /** Score from 0 to 1, or on the reviewer's own scale. */
  score?: number;
}

export type VerdictOrTrouble = ParsedVerdict | { trouble: string };

const WORDS: Record<ReviewVerdict, readonly string[]> = {
  approve: ["approve", "approved", "accept", "accepted", "pass", "passed", "lgtm"],
  retry: [
    "retry",
    "revise",
    "rework",
    "redo",
    "needs_work",
    "needs_changes",
    "needs_revision",
    "changes_requested",
    "request_changes",
  ],
  reject: ["reject", "rejected", "deny", "denied"],
  escalate: ["escalate", "escalated", "needs_human", "human_review", "unsure", "undecided"],
};

/** Fields that name the verdict. */
const NAMED = ["verdict", "decision", "recommendation"] as const;
/** Fields that approve where they are true. */
const FLAGS = ["approved", "accepted", "passed"] as const;
/** Fields that name what has to change before an approval. */
const MUST_FIX = [
  "must_fix",
  "must_be_fixed",
  "required_changes",
  "changes_required",
  "blocking",
  "blockers",
  "blocking_issues",
] as const;
const FEEDBACK = ["feedback", "comments", "issues", "suggestions", "changes", ...MUST_FIX] as const;
const REASONS = ["reason", "reasoning", "rationale", "explanation", "summary"] as const;
/** Fields that hold the whole answer where nothing else does. */
const WRAPPERS = ["review", "result", "output", "answer", "verdict"] as const;
const BLOCKING = new Set(["blocker", "blocking", "critical", "must_fix"]);

const MAX_SHOWN = 200;

export function parseVerdict(output: Json): VerdictOrTrouble {
  if (typeof output === "string") return fromText(output);
  if (isJsonObject(output)) return fromObject(output);
  return trouble(`it answered ${shown(output)}`);
}

function fromText(text: string): VerdictOrTrouble {
  const word = verdictOf(text);
  if (word !== undefined) return { verdict: word };
  const parsed = findJson(text).map((object) => fromObject(object));
  const [first, ...others] = parsed;
  if (first === undefined) return trouble(`it answered ${shown(text)}`);
  if (others.length === 0) return first;
  const understood = parsed.filter((one) => "verdict" in one);
  const verdicts = new Set(understood.map(({ verdict }) => verdict));
  if (verdicts.size > 1) return contradiction(`it answered ${[...verdicts].join(" and ")}`);
  const contradicting = parsed.find((one) => "trouble" in one && one.trouble.startsWith(CONTRADICTS));
  return contradicting ?? understood.at(-1) ?? first;
}

function fromObject(object: JsonObject): VerdictOrTrouble {
  const inner = unwrapped(object);
  if (inner !== undefined) return parseVerdict(inner);
  const feedback = feedbackOf(object);
  const said = verdictsIn(object, feedback !== undefined);
  if (typeof said === "string") return trouble(said);
  const [verdict, ...others] = new Set(said);
  if (verdict === undefined) return trouble(`it answered ${shown(object)}`);
  if (others.length > 0) return contradiction(`it says ${[verdict, ...others].join(" and ")}`);
  const open = MUST_FIX.find((name) => isSet(object[name])) ?? blockingIssue(object);
  if (verdict === "approve" && open !== undefined)
    return contradiction(`it approves, and "${open}" says that something must change first`);
  const reason = firstOf(object, REASONS);
  const { score } = object;
  return {
    verdict,
    ...(feedback !== undefined && { feedback }),
    ...(reason !== undefined && { reason: typeof reason === "string" ? reason : JSON.stringify(reason) }),
    ...(typeof score === "number" && { score }),
  };
}

/** Returns all verdicts that the fields name, or words for a field whose value is not a verdict. */
function verdictsIn(object: JsonObject, hasFeedback: boolean): ReviewVerdict[] | string {
  const found: ReviewVerdict[] = [];
  for (const name of NAMED) {
    const value = object[name];
    if (value === undefined || value === null) continue;
    const verdict = typeof value === "string" ? verdictOf(value) : undefined;
    if (verdict === undefined) return `its ${name} is ${shown(value)}`;
    found.push(verdict);
  }
  for (const name of FLAGS) {
    const value = object[name];
    if (value === undefined || value === null) continue;
    if (typeof value !== "boolean") return `its ${name} is ${shown(value)}`;
    if (value) found.push("approve");
    // A flag that does not approve means `retry` where feedback says how, unless a named verdict decides.
    else if (found.length === 0 || found.includes("approve")) found.push(hasFeedback ? "retry" : "reject");
  }
  return found;
}

function unwrapped(object: JsonObject): Json | undefined {
  const isVerdict = [...NAMED, ...FLAGS].some((name) => /^(string|boolean)$/.test(typeof object[name]));
  if (isVerdict) return undefined;
  const name = WRAPPERS.find((each) => isJsonObject(object[each]) || typeof object[each] === "string");
  const isAlone = Object.keys(object).length === 1;
  return name !== undefined && (isAlone || isJsonObject(object[name])) ? object[name] : undefined;
}

function verdictOf(text: string): ReviewVerdict | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  // The keys of WORDS are the verdicts.
  return (Object.keys(WORDS) as ReviewVerdict[]).find((verdict) => WORDS[verdict].includes(word));
}

/** Returns the value of the one feedback field that is set, or all of them by name where several are. */
function feedbackOf(object: JsonObject): Json | undefined {
  const said = FEEDBACK.filter((name) => isSet(object[name]));
  const [only, ...others] = said;
  if (only === undefined || others.length === 0) return only && object[only];
  return Object.fromEntries(said.map((name) => [name, object[name] ?? null]));
}

function firstOf(object: JsonObject, names: readonly string[]): Json | undefined {
  return names.map((name) => object[name]).find(isSet);
}

/** Whether a value is neither missing nor empty. */
function isSet(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.length > 0;
  return value === true || typeof value === "number" || Object.keys(value).length > 0;
}

function blockingIssue({ issues }: JsonObject): string | undefined {
  const found = Array.isArray(issues) && issues.some((issue) => isJsonObject(issue) && isBlocking(issue));
  return found ? "issues" : undefined;
}

function isBlocking({ severity, blocking }: JsonObject): boolean {
  return blocking === true || (typeof severity === "string" && BLOCKING.has(severity.toLowerCase()));
}

const CONTRADICTS = "the reviewer contradicts itself";

function contradiction(what: string): { trouble: string } {
  return { trouble: `${CONTRADICTS}: ${what}` };
}

function trouble(what: string): { trouble: string } {
  return { trouble: `the reviewer gave no verdict: ${what}; expected approve, retry, reject or escalate` };
}

function shown(value: Json): string {
  return shorten(JSON.stringify(value), MAX_SHOWN);
}
