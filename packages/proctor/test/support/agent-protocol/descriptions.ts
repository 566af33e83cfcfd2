// What the surfaces of the Agent Protocol say about themselves, without a hub behind them.
import { createSurfaces } from "../../../src/protocols/agent-protocol/surface.ts";
import type { SurfaceOptions } from "../../../src/protocols/protocol.ts";
import type { SurfaceDescription } from "../../../src/runtime/http/route.ts";

const describe = (path: string) => (): SurfaceDescription => {
  // A description asks nothing of the hub.
  const options = { keepAliveMs: 1000, report: () => undefined } as unknown as SurfaceOptions;
  const tasks = { artifactsDir: "/artifacts", workspacesRoot: "/workspaces", exposeUri: false };
  const surface = createSurfaces(options, tasks).find((each) => each.path === path);
  return surface?.openapi?.() ?? { tags: {}, routes: [] };
};

export const describeApi = describe("/api");
export const describeOfficial = describe("/ap");
export const describeWs = describe("/ws");
