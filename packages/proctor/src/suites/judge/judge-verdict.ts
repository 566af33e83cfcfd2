// Puts a run before a judge and sums up its votes. Without a judge, or without a usable answer, the check is unevaluated.
import { messageOf } from "../../core/message-of.ts";
import type { JsonObject } from "../../core/json.ts";
import type { CheckSubject } from "../check.ts";
import { noArtifact } from "../texts/find-artifact.ts";
import { findSource } from "../texts/find-source.ts";
import { quote } from "../../core/printable.ts";
import { fail, unevaluated, type Verdict } from "../verdict.ts";
import { collectVotes } from "./collect-votes.ts";
import type { Consulted } from "./consult.ts";
import { gatherMaterial, type Include } from "./judge-material.ts";
import { opinionPrompt, type Question } from "./judge-prompt.ts";
import { CONFIGURE_JUDGE } from "./missing-judge.ts";
import { readOpinion, type Opinion } from "./read-opinion.ts";

interface JudgeOptions extends Omit<Question, "exhibits"> {
  path: string | undefined;
  include: readonly Include[];
  /** The least score that passes, in the units of the scale. */
  threshold: number;
  votes: number;
  model: string | undefined;
  temperature: number;
  cache: boolean;
}

export const NO_JUDGE = `no judge is configured: ${CONFIGURE_JUDGE}`;

export async function askJudge(subject: CheckSubject, options: JudgeOptions): Promise<Verdict> {
  const { run, services, signal } = subject;
  const { path, include, scale, votes, temperature, cache } = options;
  const only = path === undefined ? undefined : findSource(subject, path);
  if (path !== undefined && !only) return noArtifact(run, path);
  if (!only && run.artifacts.length === 0 && !include.includes("events"))
    return fail("the run produced no artifacts");
  const { judge } = services;
  if (!judge) return unevaluated(NO_JUDGE);

  const model = options.model ?? judge.model;
  const { exhibits, omitted } = await gatherMaterial(subject, include, only);
  const messages = opinionPrompt({ ...options, exhibits });
  const read = (answer: string) => readOpinion(answer, scale);
  let collected: Consulted<Opinion>[];
  try {
    collected = await collectVotes(judge, votes, { messages, model, temperature, cache, read }, signal);
  } catch (error) {
    signal.throwIfAborted();
    return unevaluated(`the judge gave no verdict: ${messageOf(error)}`);
  }
  return conclude(collected, options, { model, omitted });
}

function conclude(
  collected: readonly Consulted<Opinion>[],
  { threshold, scale }: JudgeOptions,
  { model, omitted }: { model: string; omitted: number },
): Verdict {
  const scores = collected.map(({ value }) => value.score).sort((a, b) => a - b);
  const score = median(scores);
  const low = scores[0] ?? score;
  const high = scores.at(-1) ?? score;
  // The reason that is shown comes from the vote nearest to the median.
  const nearest = collected
    .map(({ value }) => value)
    .reduce((best, one) => (Math.abs(one.score - score) < Math.abs(best.score - score) ? one : best));
  const many = scores.length > 1 ? ` (median of ${scores.length} votes, ${low} to ${high})` : "";
  const cut = omitted > 0 ? `; the judge did not see ${omitted} characters of it` : "";
  const message = `scored ${round(score)}${many}, at least ${round(threshold)} expected${cut}: ${quote(nearest.reason, 400)}`;
  const details: JsonObject = {
    model,
    cached: collected.every(({ cached }) => cached),
    votes: collected.map(({ value, cached }) => ({ ...value, cached })),
    disagreement: round(high - low),
    tokens: {
      input: sum(collected.map(({ inputTokens }) => inputTokens)),
      output: sum(collected.map(({ outputTokens }) => outputTokens)),
    },
    ...(omitted > 0 && { omitted_characters: omitted }),
  };
  const outcome = score >= threshold - 1e-9 ? "pass" : "fail";
  return { outcome, message, score: (score - scale.min) / (scale.max - scale.min), details };
}

/** The median of sorted numbers; the mean of the middle two when their count is even. */
function median(sorted: readonly number[]): number {
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? 0) + (sorted[Math.ceil(middle)] ?? 0)) / 2;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const round = (number: number): number => Math.round(number * 1000) / 1000;
