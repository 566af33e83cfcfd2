// Passes when a text agrees with known facts and cites well, as suites of the ATP platform have it. What words and numbers
// decide needs no judge; the rest is asked of one, where the method says so.
import { messageOf } from "../../core/message-of.ts";
import { z } from "zod";
import type { JsonObject } from "../../core/json.ts";
import type { Check, CheckSubject, Judge } from "../check.ts";
import { addError } from "../../runtime/yaml/findings.ts";
import { gatherMaterial } from "../judge/judge-material.ts";
import { NO_JUDGE } from "../judge/judge-verdict.ts";
import { quote } from "../../core/printable.ts";
import { unevaluated, type Verdict } from "../verdict.ts";
import { askFacts, type FactsOpinion } from "../facts/ask-facts.ts";
import { checkCitations } from "../facts/citations.ts";
import { loadGroundTruth, type GroundTruth } from "../facts/ground-truth.ts";
import { vagueClaims } from "../facts/vague-claims.ts";
import { verifyFacts, type Verified } from "../facts/verify-facts.ts";
import { findSource } from "../texts/find-source.ts";
import { gatherTexts, isVerdict } from "../texts/gather-text.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { quoted } from "../texts/words.ts";

const LIMIT_MS = 5000;

const config = z
  .strictObject({
    ground_truth_file: z.string().min(1).optional(),
    verification_method: z.enum(["ground_truth", "llm_verify", "rag"]).default("ground_truth"),
    min_confidence: z.number().min(0).max(1).default(0.8),
    check_citations: z.boolean().default(true),
    detect_hallucinations: z.boolean().default(true),
    path: z.string().min(1).optional(),
  })
  .superRefine(({ ground_truth_file: file, verification_method: method }, context) => {
    if (file === undefined && method !== "llm_verify")
      addError(context, `missing key "ground_truth_file": the method "${method}" goes by it`);
  });

type Config = z.output<typeof config>;

export const factuality: Check<Config> = {
  type: "factuality",
  config,
  needsJudge: ({ verification_method: method }) => method !== "ground_truth",
  files: ({ ground_truth_file: file }) => (file === undefined ? [] : [file]),
  async evaluate(subject, config) {
    const texts = await gatherTexts(subject, config.path, "json");
    if (isVerdict(texts)) return texts;
    const { ground_truth_file: file } = config;
    const truth =
      file === undefined ? { facts: [], validSources: [] } : await loadGroundTruth(file, subject.folder);
    const found = withinCpuTime("the comparison", () => examine(texts, truth), LIMIT_MS);
    if (config.verification_method === "ground_truth") return conclude(found, config);
    const { judge } = subject.services;
    if (!judge) return unevaluated(NO_JUDGE, detailsOf(found));
    return withJudge(subject, judge, config, found);
  },
};

interface Examined {
  facts: Verified[];
  citations: ReturnType<typeof checkCitations>;
  vague: string[];
  opinion?: FactsOpinion;
  asked?: JsonObject;
}

function examine(texts: readonly string[], { facts, validSources }: GroundTruth): Examined {
  const whole = texts.join("\n\n");
  return {
    facts: verifyFacts(texts, facts),
    citations: checkCitations(whole, validSources),
    vague: vagueClaims(whole),
  };
}

async function withJudge(
  subject: CheckSubject,
  judge: Judge,
  config: Config,
  found: Examined,
): Promise<Verdict> {
  const { signal } = subject;
  const only = config.path === undefined ? undefined : findSource(subject, config.path);
  const open = found.facts.filter(({ status }) => status === "open");
  const known = found.facts.filter(({ status }) => status !== "open");
  const { exhibits, omitted } = await gatherMaterial(subject, ["artifacts"], only);
  try {
    const { value, cached, inputTokens, outputTokens } = await askFacts(
      judge,
      {
        facts: open.map(({ fact }) => fact),
        known: known.map(({ fact }) => fact),
        exhibits,
        ownKnowledge: config.verification_method === "llm_verify",
      },
      signal,
    );
    const facts = [...known, ...open.map((one, index) => decided(one, value, index + 1))];
    const tokens = { input: inputTokens, output: outputTokens };
    const asked = { model: judge.model, cached, tokens, ...(omitted > 0 && { omitted_characters: omitted }) };
    return conclude({ ...found, facts, opinion: value, asked }, config);
  } catch (error) {
    signal.throwIfAborted();
    const reason = messageOf(error);
    return unevaluated(`the judge gave no verdict: ${reason}`, detailsOf(found));
  }
}

function decided(open: Verified, { facts }: FactsOpinion, id: number): Verified {
  const verdict = facts.find((one) => one.id === id)?.verdict;
  if (verdict === undefined || verdict === "absent") return open;
  return { fact: open.fact, status: verdict === "supported" ? "confirmed" : "contradicted" };
}

function conclude(found: Examined, config: Config): Verdict {
  const { check_citations: citing, detect_hallucinations: detecting, min_confidence: least } = config;
  const { facts, citations, opinion } = found;
  const claims = (verdict: string): string[] =>
    opinion?.claims.filter((one) => one.verdict === verdict).map(({ claim }) => claim) ?? [];
  const confirmed = facts.filter(({ status }) => status === "confirmed");
  const contradicted = facts.filter(({ status }) => status === "contradicted");
  const inconsistent = detecting ? facts.flatMap((one) => one.inconsistent ?? []) : [];
  const invented = detecting ? claims("unsupported") : [];
  const wrong = claims("false");
  const good = confirmed.length + claims("true").length;
  const total = good + contradicted.length + wrong.length + invented.length;
  const badCitations = citing ? citations.bad : [];

  const problems = [
    ...contradicted.map(({ fact, evidence }) => {
      const instead = evidence === undefined ? "" : ` in ${quote(evidence)}`;
      return `${quote(fact.subject)} is not ${quote(fact.values.join(" or "))}${instead}`;
    }),
    ...(wrong.length > 0 ? [`false: ${quoted(wrong)}`] : []),
    ...(invented.length > 0 ? [`unsupported: ${quoted(invented)}`] : []),
    ...(inconsistent.length > 0 ? [`contradicts itself: ${quoted(inconsistent)}`] : []),
    ...(badCitations.length > 0
      ? [
          `citations: ${badCitations
            .slice(0, 5)
            .map((one) => quote(one, 120))
            .join(", ")}`,
        ]
      : []),
  ];
  const confidence = total === 0 ? 0 : good / total;
  const broken = inconsistent.length > 0 || badCitations.length > 0;
  if (total === 0 && !broken)
    return unevaluated("the text states nothing that could be verified", detailsOf(found));
  const reached = total === 0 || confidence >= least - 1e-9;
  const stated = total === 0 ? [] : [`${good} of ${total} statements verified, a share of ${least} expected`];
  return {
    outcome: reached && !broken ? "pass" : "fail",
    message: [...stated, ...problems].join("; "),
    ...(total > 0 && { score: confidence }),
    details: detailsOf(found),
  };
}

function detailsOf({ facts, citations, vague, opinion, asked }: Examined): JsonObject {
  return {
    facts: facts.map(({ fact, status, evidence }) => ({
      subject: fact.subject,
      expected: fact.values.join(" or "),
      status,
      ...(evidence !== undefined && { evidence: evidence.slice(0, 300) }),
    })),
    citations: { total: citations.total, bad: citations.bad.slice(0, 100) },
    ...(vague.length > 0 && { vague }),
    ...(opinion && {
      claims: opinion.claims.map(({ claim, verdict }) => ({ claim: claim.slice(0, 300), verdict })),
    }),
    ...asked,
  };
}
