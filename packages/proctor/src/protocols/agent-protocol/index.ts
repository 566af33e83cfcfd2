// The Agent Protocol: document 003 on `/api` and `/ws`, the official v1 on `/ap`, and the driver for servers of v1.
import type { AgentDriver } from "../../core/ports/driver.ts";
import type { Protocol } from "../protocol.ts";

export const agentProtocol: Protocol = {
  id: "ap",
  transports: ["http", "https"],
  versions: ["v1"],
  createDriver: createLater,
  async openSurfaces(setting) {
    const { createApiSurface } = await import("./surfaces/api/surface.ts");
    const { createWsSurface } = await import("./surfaces/ws/surface.ts");
    const { createOfficialSurface } = await import("./surfaces/official/surface.ts");
    const { fileUris } = await import("./surfaces/shared/artifact-document.ts");
    const { exposeUri, artifactsDir } = setting.tasks;
    const shared = { ...setting, ...setting.tasks };
    const live = { ...setting, ...(exposeUri && { uriOf: fileUris(artifactsDir) }) };
    return [createApiSurface(shared), createWsSurface(live), createOfficialSurface(shared)];
  },
  async loadWebhookEncoding() {
    return (await import("./webhook-encoding.ts")).webhookEncoding;
  },
};

/** Loaded when first needed, so that who only runs programs never pays for it. */
function createLater(): AgentDriver {
  let loaded: Promise<AgentDriver> | undefined;
  return {
    open: (job, signals) => ({
      async *[Symbol.asyncIterator]() {
        loaded ??= import("./driver.ts").then(({ createApDriver }) => createApDriver());
        yield* (await loaded).open(job, signals);
      },
    }),
  };
}
