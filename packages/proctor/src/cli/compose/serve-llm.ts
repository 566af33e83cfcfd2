// The models of runs, where agents can reach them on this machine: on the hub's own port, or where that is none of 127.0.0.1 on a port
// that is opened when the first run needs it.
import { systemClock } from "../../engine/system-clock.ts";
import type { LlmScript } from "../../core/llm-script.ts";
import type { ModelHost } from "../../core/ports/model-host.ts";
import type { MockModel, ServedModelHost } from "../../llm/model-host.ts";
import type { Listening } from "../../server/listen.ts";
import type { Config } from "../config.ts";

export interface ServedModels {
  host: ModelHost;
  fetch(request: Request): Promise<Response>;
  /** From now on agents find their models here, if that is on 127.0.0.1: where environments forward ports to. */
  publish(url: string): void;
  close(): Promise<void>;
}

export function serveLlm({ llm }: Config): ServedModels {
  let published: string | undefined;
  let loading: Promise<ServedModelHost> | undefined;
  let own: Promise<Listening> | undefined;

  const load = (): Promise<ServedModelHost> => (loading ??= loadHost());

  async function loadHost(): Promise<ServedModelHost> {
    const { createModelHost } = await import("../../llm/model-host.ts");
    const { upstream, prices } = llm ?? {};
    return createModelHost({
      ...(upstream && { upstream }),
      ...(prices && { prices }),
      mock: () => openMock(llm?.script),
      clock: systemClock,
      baseUrl: async () => published ?? (own ??= listenAlone()).then(({ url }) => url),
    });
  }

  const answer = async (request: Request): Promise<Response> => (await load()).fetch(request);
  const listenAlone = async (): Promise<Listening> => {
    const { listen } = await import("../../server/listen.ts");
    return listen({ app: { fetch: answer }, host: "127.0.0.1", port: 0 });
  };

  return {
    host: { open: async (request) => (await load()).open(request) },
    fetch: answer,
    publish(url) {
      if (new URL(url).hostname === "127.0.0.1") published ??= url;
    },
    async close() {
      await (await loading)?.close();
      await (await own)?.close(0);
    },
  };
}

/** Read again for each run: a script that was mended is taken as it is now. */
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
