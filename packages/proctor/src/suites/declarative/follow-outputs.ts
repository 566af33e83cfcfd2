// Goes through what reached the gateway's client in order, and holds it against the list that a declarative test expects.
import { partsOf, purposeOf, textOfParts } from "./event-facts.ts";
import type { ExpectedOutput } from "./expected-schema.ts";
import type { ObservedOutput } from "../../core/observation.ts";
import { aggregatedProblems, outputProblems } from "./output-problems.ts";

interface FollowOptions {
  /** True when outputs of another type or purpose than the next expected one are skipped. */
  skip: boolean;
}

/** Returns the problems, one sentence each, with the number of the expectation from 1. */
export function followOutputs(
  outputs: readonly ObservedOutput[],
  expected: readonly ExpectedOutput[],
  { skip }: FollowOptions,
): string[] {
  let cursor = 0;
  for (const [index, wanted] of expected.entries()) {
    const label = `expected_gateway_output[${index}]`;
    if (wanted.type === "aggregated_text_content") {
      const problems = aggregatedProblems(streamText(outputs, outputs.length), wanted);
      if (problems.length > 0) return problems.map((problem) => `${label}: ${problem}`);
      continue;
    }
    if (skip) while (cursor < outputs.length && !isKind(outputs[cursor], wanted)) cursor += 1;
    const output = outputs[cursor];
    if (output === undefined) return [`${label}: no ${nameOf(wanted)} came; ${seen(outputs)}`];
    if (!isKind(output, wanted)) {
      const next = skip ? "" : `; "skip_intermediate_events: true" passes over others`;
      return [`${label}: a ${describe(output)} came, not a ${nameOf(wanted)}${next}`];
    }
    const problems = outputProblems(output, wanted, streamText(outputs, cursor));
    if (problems.length > 0) return problems.map((problem) => `${label}: ${problem}`);
    cursor += 1;
  }
  const rest = outputs.slice(cursor);
  if (skip || expected.length === 0 || rest.length === 0) return [];
  return [`${rest.length} more came than expected: ${rest.map(describe).join(", ")}`];
}

function isKind(
  output: ObservedOutput | undefined,
  { type, event_purpose: purpose }: ExpectedOutput,
): boolean {
  return output?.type === type && (purpose === undefined || purposeOf(output) === purpose);
}

function streamText(outputs: readonly ObservedOutput[], end: number): string {
  const updates = outputs.slice(0, end).filter(({ type }) => type === "status_update");
  return updates.map((output) => textOfParts(partsOf(output))).join("");
}

function nameOf({ type, event_purpose: purpose }: ExpectedOutput): string {
  return purpose === undefined ? type : `${type} (${purpose})`;
}

function describe(output: ObservedOutput): string {
  const purpose = purposeOf(output);
  return purpose === undefined ? output.type : `${output.type} (${purpose})`;
}

function seen(outputs: readonly ObservedOutput[]): string {
  return outputs.length === 0 ? "nothing came" : `what came: ${outputs.map(describe).join(", ")}`;
}
