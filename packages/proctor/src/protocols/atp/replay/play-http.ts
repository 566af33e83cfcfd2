// A recording in the place of an agent's HTTP server.
import type { AgentDriver } from "../../../core/ports/driver.ts";
import { createRecordedClient } from "../../recorded-http-client.ts";
import type { Script } from "../../recorded-script.ts";
import { createHttpDriver } from "../http/driver.ts";

export function playHttp(script: Script): AgentDriver {
  return createHttpDriver({ client: createRecordedClient(script) });
}
