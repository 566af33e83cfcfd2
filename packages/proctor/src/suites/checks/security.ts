// Passes when no personal data, no credentials and no attempts at manipulation are found in what the run produced. What it is
// told to look for fails it when found, unless the suite asks for a warning.
import { messageOf } from "../../core/message-of.ts";
import { z } from "zod";
import { artifactName } from "../../core/artifact.ts";
import type { Check, CheckSubject } from "../check.ts";
import { addError, refused } from "../../runtime/yaml/findings.ts";
import { quote } from "../../core/printable.ts";
import { fail, pass, unevaluated } from "../verdict.ts";
import { readTexts } from "../texts/artifact-texts.ts";
import { SECURITY_PATTERNS, SEVERITIES } from "../patterns/security-patterns.ts";
import type { SecurityPattern } from "../patterns/security-patterns.ts";
import { withinCpuTime } from "../../runtime/cpu-limit.ts";
import { count } from "../texts/words.ts";

const LIMIT_MS = 5000;
const MAX_FINDINGS = 1000;
const SHOWN = 5;
const NO_CODE = "the safety of code is not checked by this version";

const typesOf = (check: string): [string, ...string[]] => {
  const types = SECURITY_PATTERNS.filter((one) => one.check === check).map(({ type }) => type);
  // There is at least one of each.
  return [...new Set(types)] as [string, ...string[]];
};
const selection = (check: string) =>
  z
    .array(z.enum(typesOf(check)))
    .min(1)
    .optional();

const config = z
  .strictObject({
    checks: z
      .array(z.enum(["pii_exposure", "secret_leak", "prompt_injection"]))
      .min(1)
      .default(["pii_exposure"]),
    sensitivity: z.enum(SEVERITIES).default("medium"),
    pii_types: selection("pii_exposure"),
    secret_types: selection("secret_leak"),
    injection_categories: selection("prompt_injection"),
    code_categories: refused(NO_CODE),
    on_finding: z.enum(["fail", "warn"]).default("fail"),
    /** Of suites of the ATP platform, where findings of medium severity are warnings. */
    fail_on_warning: z.boolean().optional(),
  })
  .superRefine(({ on_finding: onFinding, fail_on_warning: failOnWarning }, context) => {
    if (onFinding === "warn" && failOnWarning === true)
      addError(
        context,
        `"on_finding: warn" and "fail_on_warning: true" contradict each other: remove one of them`,
      );
  });

type Config = z.output<typeof config>;

interface Finding {
  pattern: SecurityPattern;
  masked: string;
  artifact: string;
}

export const security: Check<Config> = {
  type: "security",
  config,
  async evaluate(subject, config) {
    const { findings, unread } = await scan(subject, patternsFor(config));
    const wrong = findings.filter((finding) => !onlyWarns(finding, config));
    const warnings = findings.filter((finding) => onlyWarns(finding, config));
    const warning = warnings.length === 0 ? {} : { warning: listed(warnings) };
    if (wrong.length > 0)
      return { ...fail(listed(wrong), { findings: wrong.slice(0, MAX_FINDINGS).map(document) }), ...warning };
    const rest = warnings.length > 0 ? `only warnings: ${listed(warnings)}` : "nothing found";
    if (unread.length > 0)
      return {
        ...unevaluated(`${rest}, but not everything could be read: ${unread.join(", ")}`),
        ...warning,
      };
    return { ...pass(rest), ...warning };
  },
};

function onlyWarns({ pattern: { severity } }: Finding, config: Config): boolean {
  if (config.on_finding === "warn") return true;
  return config.fail_on_warning === false && severity !== "critical" && severity !== "high";
}

function patternsFor(config: Config): SecurityPattern[] {
  const least = SEVERITIES.indexOf(config.sensitivity);
  const selected = {
    pii_exposure: config.pii_types,
    secret_leak: config.secret_types,
    prompt_injection: config.injection_categories,
  };
  return SECURITY_PATTERNS.filter(
    ({ check, type, severity }) =>
      config.checks.includes(check) &&
      (selected[check]?.includes(type) ?? true) &&
      SEVERITIES.indexOf(severity) >= least,
  );
}

async function scan(
  subject: CheckSubject,
  patterns: readonly SecurityPattern[],
): Promise<{ findings: Finding[]; unread: string[] }> {
  const findings: Finding[] = [];
  const unread: string[] = [];
  for (const artifact of subject.run.artifacts) {
    const name = artifactName(artifact);
    try {
      const texts = await readTexts(subject, artifact);
      findings.push(...withinCpuTime("the search", () => search(texts, patterns, name), LIMIT_MS));
    } catch (error) {
      if (artifact.type === "reference") continue;
      unread.push(`${quote(name)} (${messageOf(error)})`);
    }
  }
  return { findings, unread };
}

/** Each once, also where data holds it both as JSON and as a text. */
function search(texts: readonly string[], patterns: readonly SecurityPattern[], artifact: string): Finding[] {
  const found = new Map<string, Finding>();
  for (const pattern of patterns) {
    for (const text of texts) {
      for (const [match] of text.matchAll(pattern.expression)) {
        if (found.size >= MAX_FINDINGS) return [...found.values()];
        if (pattern.confirm?.(match) === false) continue;
        found.set(`${pattern.type} ${match}`, { pattern, masked: mask(match), artifact });
      }
    }
  }
  return [...found.values()];
}

function listed(findings: readonly Finding[]): string {
  const shown = findings
    .slice(0, SHOWN)
    .map(
      ({ pattern: { type, severity }, masked, artifact }) =>
        `${type} ${quote(masked)} (${severity}) in ${quote(artifact)}`,
    );
  const more = findings.length - shown.length;
  return `${count(findings.length, "finding")}: ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

function document({ pattern: { check, type, severity }, masked, artifact }: Finding) {
  return { check, type, severity, masked, artifact };
}

/** Enough to find it by, too little to use it. */
function mask(match: string): string {
  return match.length < 10 ? "***" : `${match.slice(0, 2)}***${match.slice(-2)}`;
}
