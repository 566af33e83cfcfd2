// What checks may use beside the run: programs, and a judge where one is configured.
import { join } from "node:path";
import type { CheckServices } from "../../suites/check.ts";
import { createAnswerCache } from "../../suites/judge/answer-cache.ts";
import { createAskLlm } from "../../suites/judge/ask-llm.ts";
import type { Composition } from "../composition.ts";
import type { Config } from "../config.ts";

export function checkServices(
  { judge, dataDir }: Pick<Config, "judge" | "dataDir">,
  { runCommand }: Pick<Composition, "runCommand">,
): CheckServices {
  if (!judge) return { runCommand };
  const { url, model, apiKey } = judge;
  const ask = createAskLlm({ url, ...(apiKey !== undefined && { key: apiKey }) });
  return { runCommand, judge: { model, ask, cache: createAnswerCache(join(dataDir, "judge-cache"), url) } };
}
