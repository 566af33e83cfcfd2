// What a judge says of a run, read strictly: one score on the scale, and the reason for it.
import { findJson } from "../../core/find-json.ts";

export interface Scale {
  min: number;
  max: number;
}

export interface Opinion {
  score: number;
  reason: string;
}

/** The value of the answer, or the reason why it has none, in words for the model. */
export type Reading<T> = { ok: true; value: T } | { ok: false; problem: string };

const MAX_REASON_CHARS = 2000;

export function readOpinion(answer: string, { min, max }: Scale): Reading<Opinion> {
  const bad = (problem: string): Reading<Opinion> => ({ ok: false, problem });
  const candidates = findJson(answer).filter((object) => "score" in object);
  const [first] = candidates;
  if (!first) return bad('it holds no JSON object with "score" and "reason"');
  // One of them may be quoted from the material.
  if (candidates.some((object) => object["score"] !== first["score"])) return bad("it holds several scores");
  const { score, reason } = first;
  if (typeof score !== "number") return bad('its "score" is no number');
  if (score < min || score > max) return bad(`its "score" is not from ${min} to ${max}`);
  if (typeof reason !== "string" || reason.trim() === "") return bad('it holds no "reason"');
  return { ok: true, value: { score, reason: reason.trim().slice(0, MAX_REASON_CHARS) } };
}
