// How a text is written, held to the limits of a check of style. What is only known of English is left open for other texts.
import type { CheckSubject } from "../check.ts";
import { fail, pass, unevaluated, type Verdict } from "../verdict.ts";
import { gatherTexts, isVerdict } from "../texts/gather-text.ts";
import { notEnglish } from "./english.ts";
import { toProse } from "./prose.ts";
import type { StyleConfig } from "./style-config.ts";
import { applyRules, measureEnglish, measureSentences, type Limit } from "./style-limits.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";

const LIMIT_MS = 5000;

interface Findings {
  limits: Limit[];
  metrics: Record<string, number>;
  /** Why some limits could not be looked at. */
  open?: string;
}

export async function judgeStyle(subject: CheckSubject, config: StyleConfig): Promise<Verdict> {
  const texts = await gatherTexts(subject, config.path);
  if (isVerdict(texts)) return texts;
  const rules = withinCpuTime("the search", () => applyRules(texts, config));
  const { limits, metrics, open } = withinCpuTime(
    "the analysis",
    () => measure(texts, config, rules),
    LIMIT_MS,
  );
  const broken = limits.filter(({ holds }) => !holds);
  const said = (list: readonly Limit[]): string => list.map((limit) => limit.said).join("; ");
  const details = Object.keys(metrics).length > 0 ? { metrics } : undefined;
  const score = limits.length > 0 ? { score: (limits.length - broken.length) / limits.length } : {};
  if (broken.length > 0) return { ...fail(said(broken), details), ...score };
  if (open !== undefined)
    return unevaluated([open, ...limits.map((limit) => limit.said)].join("; "), details);
  return { ...pass(said(limits), details), ...score };
}

function measure(texts: readonly string[], config: StyleConfig, rules: readonly Limit[]): Findings {
  const limits = [...rules];
  const metrics: Record<string, number> = {};
  const aboutSentences = Object.keys(config).some((key) => key.endsWith("_sentence_length"));
  const aboutEnglish = Object.keys(config).some((key) => /tone$|grade$|ease$|percentage$/.test(key));
  if (!aboutSentences && !aboutEnglish) return { limits, metrics };

  const prose = toProse(texts.join("\n\n"));
  let open: string | undefined;
  if (aboutSentences && prose.sentences.length === 0) open = "there is no prose in it";
  else if (aboutSentences) add(measureSentences(prose, config));
  if (aboutEnglish) {
    const foreign = notEnglish(prose);
    if (foreign === undefined) add(measureEnglish(prose, config));
    else open ??= foreign;
  }
  return { limits, metrics, ...(open !== undefined && { open }) };

  function add(measured: Omit<Findings, "open">): void {
    limits.push(...measured.limits);
    Object.assign(metrics, measured.metrics);
  }
}
