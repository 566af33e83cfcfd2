// Plays a declarative test with the real parts: a gateway over a store of its own, a scripted agent behind it, a client of A2A 0.3 before it.
import { join } from "node:path";
import { parseAddress } from "../../core/address.ts";
import { createDriverService } from "../../doubles/stage/driver-service.ts";
import { createDriverLookup } from "../../protocols/registry.ts";
import { createHttpClient } from "../../channels/http/client.ts";
import { DEFAULT_ARTIFACT_LIMITS } from "../../core/artifact.ts";
import type { Observation, ObservedOutput } from "../../core/observation.ts";
import type { ProxyAuthentication, StageScript } from "../../core/stage-script.ts";
import { assembleAgent } from "../../doubles/scripted/assemble-agent.ts";
import { playStage, type StageGateway, type StageGatewayOptions } from "../../doubles/stage/open-stage.ts";
import type { AuthOptions } from "../../runtime/schemas/credentials.ts";
import type { ClientAuth } from "../../protocols/a2a/client/auth/client-auth.ts";
import { createAuth } from "../../protocols/a2a/client/auth/create-auth.ts";
import { createA2aClient } from "../../protocols/a2a/client/create-a2a-client.ts";
import { codecOf } from "../../protocols/a2a/codecs.ts";
import { writeRpcError } from "../../protocols/a2a/error-form.ts";
import { createGateway } from "../../protocols/a2a/gateway/gateway.ts";
import { createA2aServer } from "../../protocols/a2a/http/a2a-server.ts";
import { removeTree } from "../../runtime/files/remove-tree.ts";
import { systemClock } from "../../runtime/time/system-clock.ts";
import { createArtifactService } from "../../stores/artifact-service.ts";
import { openFileBlobs } from "../../stores/blobs/file-blobs.ts";
import { openSqliteStore } from "../../stores/sqlite/open-store.ts";

interface PlayOptions {
  /** Folder of this play alone, which is removed at the end. */
  folder: string;
  onOutput: (output: ObservedOutput) => void;
}

const REFRESH_MS = 60_000;
const TIMEOUT_MS = 300_000;
const http = createHttpClient();
const drivers = createDriverLookup({ hubId: "stage" });
const legacy = codecOf("0.3");

export async function playOnStage(
  script: StageScript,
  { folder, onOutput }: PlayOptions,
  signal: AbortSignal,
): Promise<Observation> {
  try {
    return await playStage(
      script,
      {
        clock: systemClock,
        openGateway: (options) => openGateway(options, folder),
        openAgent: () =>
          assembleAgent({
            codecs: { "1.0": codecOf("1.0"), "0.3": legacy },
            serve: (service) => createA2aServer({ service, versions: ["0.3"] }),
          }),
        openOther: (address, env) => {
          const spec = { ...parseAddress(address), env };
          return createDriverService({ name: address, spec, driver: drivers(spec), env });
        },
        serve: (service) => createA2aServer({ service }),
        connect: (url, headers) =>
          createA2aClient({
            interface: { url, protocolBinding: "JSONRPC", protocolVersion: "0.3" },
            http,
            headers,
          }),
        encode: (event) => legacy.encodeFrame(event),
        encodeError: (error) => writeRpcError(error, "0.3"),
      },
      onOutput,
      signal,
    );
  } finally {
    await removeTree(folder);
  }
}

async function openGateway(options: StageGatewayOptions, folder: string): Promise<StageGateway> {
  const store = await openSqliteStore({ file: join(folder, "stage.db") });
  const blobs = await openFileBlobs(join(folder, "blobs"));
  const artifacts = createArtifactService({
    store,
    blobs,
    clock: systemClock,
    limits: {
      fileBytes: DEFAULT_ARTIFACT_LIMITS.fileBytes,
      sessionBytes: DEFAULT_ARTIFACT_LIMITS.runBytes,
      count: 1000,
    },
  });
  const auth = options.authentication && authOf(options.authentication);
  const gateway = createGateway({
    agents: {
      [options.alias]: {
        url: new URL(options.url),
        ...(auth && { auth, ...(options.cardNeedsAuth && { cardAuth: auth }) }),
        headers: options.headers,
        cardHeaders: options.cardHeaders,
        usesCardUrl: options.usesCardUrl,
        refreshMs: REFRESH_MS,
        timeoutMs: TIMEOUT_MS,
      },
    },
    artifacts,
    ids: store.gatewayIds,
    clock: systemClock,
    isProtected: () => false,
    identityHeader: options.identityHeader,
  });
  const service = gateway.services.get(options.alias);
  if (!service) throw new Error("the gateway has no such agent");
  return {
    service,
    artifacts,
    async close() {
      gateway.close();
      await store.close();
    },
  };
}

function authOf(authentication: ProxyAuthentication): ClientAuth {
  return createAuth({ auth: authOptions(authentication) }, { http, clock: systemClock });
}

function authOptions(authentication: ProxyAuthentication): AuthOptions {
  switch (authentication.type) {
    case "static_bearer":
      return { type: "bearer", token: authentication.token };
    case "static_apikey":
      return { type: "api_key", api_key: authentication.token, name: authentication.header, in: "header" };
    case "oauth2_client_credentials": {
      const { token_url, client_id, client_secret, scope } = authentication;
      const scopes = scope === undefined ? [] : scope.split(" ");
      return { type: "oauth2", token_url, client_id, client_secret, scopes, credentials_in: "body" };
    }
  }
}
