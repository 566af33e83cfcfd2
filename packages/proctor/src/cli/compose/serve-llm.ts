// The models of runs, where agents can reach them on this machine: on the hub's own port or, where the hub does not listen on 127.0.0.1,
// on a port that is opened when the first run needs it.
import { systemClock } from "../../runtime/time/system-clock.ts";
import type { LlmScript } from "../../core/llm-script.ts";
import type { ModelHost } from "../../core/ports/model-host.ts";
import type { Authority } from "../../core/ports/tokens.ts";
import type { MockModel } from "../../llm/model-host.ts";
import type { Config } from "../config/load-config.ts";
import { serveHost } from "./serve-host.ts";

export interface ServedModels {
  host: ModelHost;
  fetch(request: Request): Promise<Response>;
  /** Sets the address at which agents find their models, if it is on 127.0.0.1, to which environments forward ports. */
  publish(url: string): void;
  close(): Promise<void>;
}

export function serveLlm({ llm }: Config, authority?: Pick<Authority, "identify">): ServedModels {
  const served = serveHost(async (baseUrl) => {
    const { createModelHost } = await import("../../llm/model-host.ts");
    const { upstream, prices } = llm ?? {};
    return createModelHost({
      ...(upstream && { upstream }),
      ...(prices && { prices }),
      mock: () => openMock(llm?.script),
      clock: systemClock,
      ...(authority && { isRunToken: (text, runId) => isRunToken(authority, text, runId) }),
      baseUrl,
    });
  });
  return {
    ...served,
    host: { open: async (request) => (await served.load()).open(request) },
    publish(url) {
      if (new URL(url).hostname === "127.0.0.1") served.publish(url);
    },
  };
}

async function isRunToken(
  authority: Pick<Authority, "identify">,
  text: string,
  runId: string,
): Promise<boolean> {
  if (!text.startsWith("hub_run_")) return false;
  try {
    return (await authority.identify(text)).name === `run:${runId}`;
  } catch {
    return false;
  }
}

/** Reads the script again for each run, so that a change of it counts. */
async function openMock(file: string | undefined): Promise<MockModel> {
  const { createMockModel } = await import("./mock-model.ts");
  const script = await (file === undefined ? defaultScript() : readScript(file));
  return { model: script.model ?? "mock", ask: createMockModel(script) };
}

async function defaultScript(): Promise<LlmScript> {
  return (await import("../../llm/default-script.ts")).DEFAULT_SCRIPT;
}

async function readScript(file: string): Promise<LlmScript> {
  const { loadLlmScript } = await import("../../suites/load-llm-script.ts");
  return loadLlmScript(file, { variables: process.env });
}
