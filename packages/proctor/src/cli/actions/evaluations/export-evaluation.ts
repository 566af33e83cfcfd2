// `proctor evaluations export`: everything as JSON, or a baseline for later comparisons.
import { hubAction } from "../hub-action.ts";
import { renderBaseline } from "../../../suites/compare/render-baseline.ts";
import { resultsOf } from "../../../suites/evaluations/compare-evaluations.ts";
import { writeTo } from "../write-to.ts";
import { allCases } from "./all-cases.ts";
import { findEvaluation } from "./find-evaluation.ts";
import type { ExportEvaluationFlags } from "./flags.ts";

export const exportEvaluation = hubAction(
  "read",
  async ({ platform, io }, reference: string, flags: ExportEvaluationFlags) => {
    const { evaluations } = platform;
    const evaluation = await findEvaluation(evaluations, reference);
    if (flags.format === "baseline") {
      const baseline = renderBaseline(await resultsOf(evaluations, evaluation));
      const use = (file: string) => [`compare with it: proctor test suites/ --baseline ${file}`];
      await writeTo(flags.output, baseline, io, use);
      return 0;
    }
    const cases: string[] = [];
    for await (const one of allCases(evaluations, evaluation.id)) cases.push(`    ${JSON.stringify(one)}`);
    const text = `{\n  "evaluation": ${JSON.stringify(evaluation)},\n  "cases": [\n${cases.join(",\n")}\n  ]\n}\n`;
    await writeTo(flags.output, text, io);
  },
);
