// A hub in the test's process with every surface on real ports, and one agent, `asker`, that the test plays: no program of the built hub
// asks questions by itself.
import { join } from "node:path";
import { acceptSocket } from "../../../src/channels/websocket/accept-socket.ts";
import { listenGrpc } from "../../../src/channels/grpc/listen-grpc.ts";
import { openSurfaces as openA2aSurfaces } from "../../../src/protocols/a2a/surface.ts";
import { createSurfaces } from "../../../src/protocols/agent-protocol/surface.ts";
import { createEnvelopeSurface } from "../../../src/protocols/envelope/surface.ts";
import { createAtpSurface } from "../../../src/protocols/atp/surface.ts";
import type { GrpcRoutes } from "../../../src/protocols/protocol.ts";
import { createScriptedDriver, type ScriptedSession } from "../scripted-driver.ts";
import { serveSurfaces } from "../server/serve-surfaces.ts";
import { openTestMessages } from "../messages/open-test-messages.ts";
import type { Address } from "../../../src/protocols/surface.case.ts";

export interface AskingHub extends Address {
  /** Calls `give`, and resolves with the agent's side of the task that it gave. */
  sessionOf(give: () => void): Promise<ScriptedSession>;
  close(): Promise<void>;
}

export async function openAskingHub(env: Record<string, string>): Promise<AskingHub> {
  const driver = createScriptedDriver({
    talks: { says: true, asks: ["input", "form", "permission", "approval", "auth"] },
  });
  const { hub, reader, folder, messages, close } = await openTestMessages({ driver });
  await hub.addAgent({ name: "asker", protocol: "atp", transport: "stdio", command: ["asker"], env });
  const options = { hub, log: reader, keepAliveMs: 15_000, report: () => undefined };
  const tasks = {
    artifactsDir: join(folder, "artifacts"),
    workspacesRoot: join(folder, "workspaces"),
    exposeUri: false,
  };
  const surfaces = [
    createAtpSurface(options),
    ...createSurfaces(options, tasks),
    ...(await openA2aSurfaces(options)),
    createEnvelopeSurface(messages, options),
  ];
  const { server } = await serveSurfaces(hub, surfaces, {
    acceptSocket: (upgrade) => acceptSocket({ ...upgrade, maxMessageBytes: 1024 * 1024 }),
  });
  const routes: GrpcRoutes[] = [];
  for (const surface of surfaces) if (surface.grpc) routes.push(await surface.grpc());
  const grpc = await listenGrpc({
    host: "127.0.0.1",
    port: 0,
    routes,
    authorize: () => undefined,
    onError: () => undefined,
  });
  return {
    url: server.url,
    grpcUrl: grpc.url,
    async sessionOf(give) {
      const session = driver.session(driver.sessions.length);
      give();
      return session;
    },
    async close() {
      for (const surface of surfaces) surface.close();
      await Promise.all([server.close(0), grpc.close(0)]);
      await close();
    },
  };
}
