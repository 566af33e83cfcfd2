// What a hub elsewhere offers besides runs, over HTTP.
import type { Platform } from "../core/ports/platform.ts";
import { createHttpConformanceReports } from "./http-conformance-reports.ts";
import { createHttpClient } from "./http-client.ts";
import type { ReadSse } from "./http-follow.ts";
import { createHttpDoubles } from "./http-doubles.ts";
import { createHttpEvaluations } from "./http-evaluations.ts";
import { createHttpGoals } from "./http-goals.ts";
import { createHttpMessages } from "./http-messages.ts";
import { createHttpScriptTools } from "./http-script-tools.ts";
import { createHttpTokens } from "./http-tokens.ts";
import { createHttpWorkers } from "./http-workers.ts";
import { createHttpRegistry } from "./http-registry.ts";
import { createLastingClient } from "./lasting-client.ts";

interface HttpPlatformOptions {
  url: string;
  token?: string;
  readSse: ReadSse;
}

export function createHttpPlatform({ url, token, readSse }: HttpPlatformOptions): Platform {
  const client = createHttpClient({ url, ...(token !== undefined && { token }) });
  const lasting = createLastingClient(client);
  return {
    conformance: createHttpConformanceReports(client),
    doubles: createHttpDoubles(client),
    evaluations: createHttpEvaluations(lasting, readSse),
    goals: createHttpGoals(client),
    messages: createHttpMessages(client, readSse),
    registry: createHttpRegistry(client, readSse),
    scriptTools: createHttpScriptTools(client),
    tokens: createHttpTokens(client),
    workers: createHttpWorkers(client),
  };
}
