// What a judge finds true and false in a text, beyond what words and numbers decide.
import { z } from "zod";
import type { Judge } from "../check.ts";
import { consult, type Consulted } from "../judge/consult.ts";
import { findJson } from "../../core/find-json.ts";
import type { Exhibit } from "../judge/judge-material.ts";
import { fencedPrompt } from "../judge/judge-prompt.ts";
import type { Reading } from "../judge/read-opinion.ts";
import type { Fact } from "./ground-truth.ts";

export interface FactsOpinion {
  facts: { id: number; verdict: "supported" | "contradicted" | "absent" }[];
  claims: { claim: string; verdict: "true" | "false" | "unsupported" }[];
}

interface FactsQuestion {
  facts: readonly Fact[];
  /** Facts that are decided already, only for the judge's information. */
  known: readonly Fact[];
  exhibits: readonly Exhibit[];
  /** Whether the judge may use its own knowledge. */
  ownKnowledge: boolean;
}

const MAX_CLAIMS = 50;
const FORM =
  '{"facts": [{"id": <number>, "verdict": "supported" | "contradicted" | "absent"}], "claims": [{"claim": "<its words>", "verdict": "true" | "false" | "unsupported"}]}';

const opinion = z.object({
  facts: z.array(z.object({ id: z.int(), verdict: z.enum(["supported", "contradicted", "absent"]) })),
  claims: z
    .array(z.object({ claim: z.string().min(1), verdict: z.enum(["true", "false", "unsupported"]) }))
    .max(MAX_CLAIMS),
});

/** Throws with a message for people. */
export function askFacts(
  judge: Judge,
  { facts, known, exhibits, ownKnowledge }: FactsQuestion,
  signal: AbortSignal,
): Promise<Consulted<FactsOpinion>> {
  const basis = ownKnowledge
    ? "by the facts and by what you know for certain yourself"
    : "by the facts alone, whatever you know yourself";
  const messages = fencedPrompt({
    role: "You check the facts in the work of an AI agent.",
    request: [
      "Do two things.",
      `First: for each fact with a number, say in "facts" whether the material supports it (states it, in whatever words), contradicts it, or whether it is absent.`,
      `Second: list in "claims" the factual claims of the material that none of the facts is about, the most important first, at most 20, and judge each ${basis}: "true", "false", or "unsupported" when nothing decides it.`,
    ].join("\n"),
    aids: [
      { title: "The facts, with their numbers", text: listed(facts) },
      {
        title: "Facts that are checked already, only for you to know",
        text: known.map(line).join("\n") || "(none)",
      },
    ],
    exhibits,
    form: FORM,
  });
  const read = (answer: string): Reading<FactsOpinion> => readFacts(answer, facts.length);
  return consult(judge, { messages, model: judge.model, temperature: 0, vote: 1, cache: true, read }, signal);
}

function listed(facts: readonly Fact[]): string {
  return facts.map((fact, index) => `${index + 1}. ${line(fact)}`).join("\n") || "(none)";
}

function line({ subject, values }: Fact): string {
  return `${subject}: ${values.join(" or ")}`;
}

/** Reads an answer that must have each number exactly once. */
function readFacts(answer: string, count: number): Reading<FactsOpinion> {
  const [value, ...more] = findJson(answer);
  if (!value || more.length > 0) return { ok: false, problem: "it is not one JSON object" };
  const parsed = opinion.safeParse(value);
  if (!parsed.success) return { ok: false, problem: "it has not the form that was asked for" };
  const ids = new Set(parsed.data.facts.map(({ id }) => id));
  const complete = ids.size === count && parsed.data.facts.length === count;
  if (!complete || [...ids].some((id) => id < 1 || id > count))
    return { ok: false, problem: `"facts" must have each number from 1 to ${count} once` };
  return { ok: true, value: parsed.data };
}
