// A mock OAuth and OpenID Connect server on a socket of its own, and the log of what it was asked.
import { getPath } from "hono/utils/url";
import { z } from "zod";
import { given } from "../../../core/given.ts";
import type { Json } from "../../../core/json.ts";
import type { OAuthFault, OAuthRequest, OAuthScript } from "../../../core/oauth-script.ts";
import type { Clock } from "../../../core/ports/clock.ts";
import { createRedactor } from "../../../core/redact.ts";
import { systemClock } from "../../../runtime/time/system-clock.ts";
import { oauthFaultsSchema } from "../../../runtime/schemas/oauth-script.ts";
import { createAwaitedLog } from "../../awaited-log.ts";
import { checked, isControl } from "../../control-api.ts";
import { createLabControl, readCommand } from "../lab-control.ts";
import { listenAsLab } from "../listen-as-lab.ts";
import { createAnswerRequest } from "./answer-request.ts";
import { createFaultPlan } from "./choose-faults.ts";
import { createGrantStore } from "./grant-store.ts";
import { createTokenGuard, type TokenGuard } from "./guard.ts";
import { createKeyRing } from "./key-ring.ts";
import type { LabDeps } from "./lab-deps.ts";
import { settingsOf } from "./settings.ts";
import { createVerify, type VerifyToken } from "./verify-token.ts";

export interface OAuthLabOptions {
  script: OAuthScript;
  host: string;
  /** Port to listen on; 0 takes any free one. */
  port: number;
  /** Called with every request; the request is answered once the promise resolves. */
  onRequest?: (request: OAuthRequest) => Promise<void>;
  clock?: Clock;
}

export interface OAuthLab {
  /** The address of the server: `http://127.0.0.1:9000`. */
  url: string;
  issuer: string;
  /** Returns the last requests, oldest first. */
  requests(): OAuthRequest[];
  /** Resolves as soon as there are `count` requests; rejects with REQUEST_TIMEOUT when the signal fires. */
  waitFor(count: number, signal: AbortSignal): Promise<OAuthRequest[]>;
  clear(): void;
  /** Replaces the signing key; resolves to the `kid` of the new one. */
  rollover(): Promise<string>;
  /** Replaces all faults; throws INVALID_REQUEST. */
  setFaults(faults: readonly OAuthFault[]): void;
  /** Says whether an access token is valid, and if not, why. */
  verify: VerifyToken;
  /** Refuses requests without a valid token by answering them. */
  guard: TokenGuard;
  /** Stops the server; requests in flight are cut. */
  close(): Promise<void>;
}

const verifySchema = z.strictObject({
  token: z.string(),
  scopes: z.array(z.string()).optional(),
  audience: z.string().optional(),
});

/** Throws CONFIG_INVALID when the address cannot be bound. */
export async function openOAuthLab(options: OAuthLabOptions): Promise<OAuthLab> {
  const { script, host, port, onRequest = () => Promise.resolve(), clock = systemClock } = options;
  const settings = settingsOf(script);
  const { algorithm, rolloverAfter, keepKeys: keep } = settings;
  const keys = await createKeyRing({ algorithm, rolloverAfter, keep });
  let origin = "";
  const base = {
    settings,
    keys,
    store: createGrantStore(clock),
    clock,
    origin: () => origin,
    issuer: () => script.issuer ?? origin,
  };
  const deps: LabDeps = { ...base, verify: createVerify(base) };
  const log = createAwaitedLog<OAuthRequest>();
  const plan = createFaultPlan(script.faults ?? []);
  const redactor = createRedactor(
    [...settings.clients.values()].flatMap(({ id, secret }) =>
      secret === undefined ? [] : [{ name: `${id}.secret`, value: secret }],
    ),
  );
  const answer = createAnswerRequest({
    deps,
    plan,
    async onRequest(request) {
      const shown = redactor.value(request);
      await onRequest(shown);
      log.add(shown);
    },
  });
  const control = createLabControl({
    what: "requests",
    log,
    commands: {
      "POST /rollover": async () => ({ kid: await keys.rollover() }),
      "PUT /faults": async (request) => {
        plan.replace(await readCommand(request, oauthFaultsSchema));
        return undefined;
      },
      "POST /verify": async (request) => {
        const { token, ...rest } = await readCommand(request, verifySchema);
        // The result is made of decoded JSON.
        return (await deps.verify(token, given(rest))) as Json;
      },
    },
  });
  const server = await listenAsLab({
    host,
    port,
    fetch: (request, connection) =>
      isControl(getPath(request)) ? control(request) : answer(request, connection),
  });
  origin = server.url;
  return {
    url: origin,
    issuer: deps.issuer(),
    requests: () => log.list(),
    waitFor: (count, signal) => log.wait(count, { what: "requests", signal }),
    clear: () => log.clear(),
    rollover: () => keys.rollover(),
    setFaults: (faults) => plan.replace(checked(oauthFaultsSchema, faults, "the faults")),
    verify: deps.verify,
    guard: createTokenGuard(deps.verify),
    close: () => server.close(),
  };
}
