// From a request to its answer: which endpoint, which faults, and a record of it before the first byte goes out.
import { getPath } from "hono/utils/url";
import type { OAuthEndpoint, OAuthFault, OAuthRequest } from "../../../core/oauth-script.ts";
import { jsonResponse } from "../../../runtime/http/respond.ts";
import { createRouter } from "../../../runtime/http/router.ts";
import { withoutBody } from "../../../runtime/http/serve-routes.ts";
import { pause } from "../../../runtime/time/pause.ts";
import { shownHeaders, shownParameters } from "../hide-proofs.ts";
import type { LabConnection } from "../listen-as-lab.ts";
import { faultNames, type FaultPlan } from "./choose-faults.ts";
import { OAUTH_PLACES } from "./endpoints.ts";
import { bodyOf, queryOf } from "./form.ts";
import type { LabDeps, Visit } from "./lab-deps.ts";
import { OAuthError, oauthErrorResponse } from "./oauth-error.ts";

interface AnswerOptions {
  deps: LabDeps;
  plan: FaultPlan;
  /** Called with every request; the request is answered once the promise resolves. */
  onRequest: (request: OAuthRequest) => Promise<void>;
}

export type AnswerRequest = (request: Request, connection: LabConnection) => Promise<Response>;

const MALFORMED = '{"access_token": "eyJ';

export function createAnswerRequest({ deps, plan, onRequest }: AnswerOptions): AnswerRequest {
  const router = createRouter(
    OAUTH_PLACES,
    "the metadata at /.well-known/openid-configuration names the paths",
  );
  let number = 0;

  return async (request, { signal, destroy }) => {
    number += 1;
    const path = getPath(request);
    const found = router.find(request.method, path);
    const name: OAuthEndpoint | "none" = found.endpoint?.name ?? "none";
    const faults = plan.next(name);
    const record: OAuthRequest = {
      number,
      time: new Date(deps.clock.now()).toISOString(),
      endpoint: name,
      method: request.method,
      path,
      headers: shownHeaders(request.headers),
      parameters: {},
      status: 0,
      ...(faults.length > 0 && { faults: faults.flatMap(faultNames) }),
    };
    const visit: Omit<Visit, "parameters"> = {
      request,
      note: (facts) => void Object.assign(record, facts),
      tokenFault: faults.find(({ token }) => token !== undefined)?.token,
    };
    const read = async (): Promise<Response> => {
      const parameters = request.method === "POST" ? await bodyOf(request) : queryOf(request);
      const shown = shownParameters(parameters);
      const { client_id: client, grant_type: grant } = shown;
      visit.note({
        parameters: shown,
        ...(typeof client === "string" && { client_id: client }),
        ...(typeof grant === "string" && { grant_type: grant }),
      });
      const planned = await answerPlanned(faults, deps, signal);
      if (planned) return planned;
      if (found.endpoint === undefined) {
        const { message, status } = found.error;
        return jsonResponse({ error: "not_found", error_description: message }, status, found.headers);
      }
      return found.endpoint.answer(deps, { ...visit, parameters });
    };
    const response = await read().catch((error: unknown) => {
      if (!(error instanceof OAuthError)) throw error;
      visit.note({ error: error.code, error_description: error.message });
      return oauthErrorResponse(error);
    });
    const isCut = faults.some(({ cut }) => cut === true);
    visit.note({ status: isCut ? 0 : response.status });
    try {
      await onRequest(record);
    } catch {
      // A request that cannot be recorded must not be acknowledged.
      return jsonResponse(
        { error: "server_error", error_description: "the request could not be recorded" },
        503,
      );
    }
    if (isCut) destroy();
    return request.method === "HEAD" ? withoutBody(response) : response;
  };
}

/** Resolves with the response of the faults; undefined where the endpoint answers. */
async function answerPlanned(
  faults: readonly OAuthFault[],
  { clock }: LabDeps,
  signal: AbortSignal,
): Promise<Response | undefined> {
  for (const { delay_ms: delay } of faults) {
    if (delay !== undefined) await pause(clock, delay, signal).catch(() => undefined);
  }
  const failing = faults.find(({ status }) => status !== undefined);
  if (failing?.status !== undefined) {
    const { status, error = "server_error", retry_after: wait } = failing;
    const headers = wait === undefined ? {} : { "retry-after": String(wait) };
    return jsonResponse({ error, error_description: "the script says so" }, status, headers);
  }
  if (!faults.some(({ malformed }) => malformed === true)) return undefined;
  return new Response(MALFORMED, { headers: { "content-type": "application/json" } });
}
