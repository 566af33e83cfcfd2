// What checks may use besides the run: programs, the hub's verifier, and a judge where one is configured.
import { join } from "node:path";
import { runCommand } from "../../channels/process/run-command.ts";
import type { Hub } from "../../core/ports/hub.ts";
import type { CheckServices } from "../../suites/check.ts";
import { createAnswerCache } from "../../suites/judge/answer-cache.ts";
import { createAskLlm } from "../../suites/judge/ask-llm.ts";
import { createScriptedModel } from "./scripted-model.ts";
import type { Config } from "../config/load-config.ts";

export function checkServices(config: Config, hub: Pick<Hub, "verify">): CheckServices {
  const { judge, dataDir } = config;
  const services: CheckServices = {
    runCommand,
    scriptedModel: createScriptedModel,
    verify: (request, signal) => hub.verify(request, signal),
  };
  if (!judge) return services;
  const { url, model, apiKey } = judge;
  const ask = createAskLlm({ url, ...(apiKey !== undefined && { key: apiKey }) });
  return { ...services, judge: { model, ask, cache: createAnswerCache(join(dataDir, "judge-cache"), url) } };
}
