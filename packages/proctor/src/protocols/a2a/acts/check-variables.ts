// Which variables a document of ACTS may name, and where: those of documents and of the runner everywhere, those of a step after it. Pure.
import { isJsonObject } from "../../../core/json.ts";
import { didYouMean } from "../../../core/suggest.ts";
import type { Finding } from "../../../runtime/yaml/findings.ts";
import type { Path } from "../../../runtime/yaml/yaml-locate.ts";
import { finding } from "./check-assertions.ts";
import type { ActsTest } from "./schema.ts";
import type { ActsStep } from "./step-schema.ts";
import { parseReference, referencesIn, sourceReference } from "./variables.ts";

/** Variables that the runner defines, so that documents need not. */
export const RUNNER_VARIABLES = [
  "baseUrl",
  "SUT_BASE_URL",
  "webhookUrl",
  "insufficientAuthToken",
  "otherUserTaskId",
] as const;

/** Names that can be referred to: variables, and what each step has captured. */
interface Visible {
  variables: ReadonlySet<string>;
  steps: ReadonlyMap<string, ReadonlySet<string>>;
}

export function checkTestVariables(test: ActsTest, variables: ReadonlySet<string>, path: Path): Finding[] {
  const steps = new Map<string, ReadonlySet<string>>();
  const findings: Finding[] = [];
  for (const [index, step] of test.steps.entries()) {
    const { assertions, ...before } = step;
    const at = [...path, "steps", index];
    findings.push(...checkTexts(before, at, { variables, steps }));
    steps.set(step.id, namesOf(step));
    if (assertions) findings.push(...checkTexts(assertions, [...at, "assertions"], { variables, steps }));
  }
  const { assertions = [] } = test;
  return [...findings, ...checkTexts(assertions, [...path, "assertions"], { variables, steps })];
}

function namesOf(step: ActsStep): ReadonlySet<string> {
  return new Set(["response", ...("capture" in step ? Object.keys(step.capture ?? {}) : [])]);
}

function checkTexts(value: unknown, path: Path, visible: Visible): Finding[] {
  if (typeof value === "string") {
    const expressions = path.at(-1) === "source" ? [sourceReference(value)] : referencesIn(value);
    return expressions.flatMap((expression) => checkReference(expression, path, visible));
  }
  if (Array.isArray(value))
    return value.flatMap((each, index) => checkTexts(each, [...path, index], visible));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, each]) => checkTexts(each, [...path, key], visible));
}

function checkReference(expression: string, path: Path, { variables, steps }: Visible): Finding[] {
  const reference = parseReference(expression);
  if (reference === undefined)
    return [
      finding(
        path,
        `{{${expression}}} is no variable`,
        "{{name}}, {{step.name}}, {{step.response}}, {{env.NAME}}, {{$uuid}}",
      ),
    ];
  switch (reference.kind) {
    case "uuid":
    case "environment":
      return [];
    case "variable": {
      const { name } = reference;
      if (variables.has(name)) return [];
      return [finding(path, `there is no variable {{${name}}}`, didYouMean(name, [...variables]))];
    }
    case "step": {
      const { step, name } = reference;
      const names = steps.get(step);
      if (names === undefined)
        return [finding(path, `no step before this has the id ${step}`, didYouMean(step, [...steps.keys()]))];
      if (names.has(name)) return [];
      return [finding(path, `the step ${step} captures no ${name}`, didYouMean(name, [...names]))];
    }
  }
}

/** Variables of a document may refer to others, but not to themselves, however indirectly. */
export function checkDocumentVariables(
  own: Readonly<Record<string, string>>,
  inherited: Readonly<Record<string, string>>,
): Finding[] {
  const all: Record<string, string> = { ...inherited, ...own };
  const variables = new Set([...Object.keys(all), ...RUNNER_VARIABLES]);
  return Object.entries(own).flatMap(([name, text]) => {
    const path = ["variables", name];
    const findings = checkTexts(text, path, { variables, steps: new Map() });
    if (findings.length > 0) return findings;
    return leadsTo(name, name, all, new Set()) ? [finding(path, `{{${name}}} leads back to itself`)] : [];
  });
}

function leadsTo(name: string, target: string, all: Record<string, string>, seen: Set<string>): boolean {
  if (seen.has(name) || !Object.hasOwn(all, name)) return false;
  seen.add(name);
  const next = referencesIn(all[name] ?? "");
  return next.includes(target) || next.some((each) => leadsTo(each, target, all, seen));
}
