// What checks may use beside the run: programs, environments, and a judge where one is configured.
import { join } from "node:path";
import { runCommand } from "../../channels/process/run-command.ts";
import { terminalId } from "../../core/ports/environments.ts";
import type { CheckServices } from "../../suites/check.ts";
import { createAnswerCache } from "../../suites/judge/answer-cache.ts";
import { createAskLlm } from "../../suites/judge/ask-llm.ts";
import { createVerify } from "../../tasks/verify.ts";
import type { Config } from "../config.ts";
import { serveEnvironments } from "./serve-environments.ts";

export function checkServices(config: Config): CheckServices {
  const { judge, dataDir } = config;
  const environments = serveEnvironments(config);
  const services = {
    runCommand,
    verify: createVerify(environments),
    release: async (runId: string) => environments.find(terminalId(runId))?.destroy(),
  };
  if (!judge) return services;
  const { url, model, apiKey } = judge;
  const ask = createAskLlm({ url, ...(apiKey !== undefined && { key: apiKey }) });
  return { ...services, judge: { model, ask, cache: createAnswerCache(join(dataDir, "judge-cache"), url) } };
}
