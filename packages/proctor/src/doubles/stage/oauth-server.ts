// The OAuth server of a declarative test: answers requests for tokens as the test says, word by word and one after the other, and remembers
// them. Nothing is checked or signed here: a server that does is the OAuth lab.
import type { ObservedTokenRequest } from "../../core/observation.ts";
import type { StageScript, TokenAnswer } from "../../core/stage-script.ts";
import { readBody } from "../../runtime/http/read-body.ts";
import { jsonResponse } from "../../runtime/http/respond.ts";
import { readBasic } from "../labs/oauth/read-basic.ts";

type OauthOptions = NonNullable<StageScript["mock_oauth_server"]>;

export interface OauthServer {
  readonly requests: readonly ObservedTokenRequest[];
  fetch(request: Request): Promise<Response>;
}

const MAX_BYTES = 64 * 1024;
const EXPIRES_SECONDS = 3600;

export function createOauthServer(options: OauthOptions): OauthServer {
  const { token_url, response_sequence: sequence = [options] } = options;
  const requests: ObservedTokenRequest[] = [];
  return {
    requests,
    async fetch(request) {
      const text = Buffer.from(await readBody(request, { limitBytes: MAX_BYTES })).toString();
      const answer = sequence[Math.min(requests.length, sequence.length - 1)] ?? {};
      requests.push({
        token_url,
        body: { ...Object.fromEntries(new URLSearchParams(text)), ...basicOf(request) },
      });
      return respond(answer);
    },
  };
}

function respond({ access_token, expires_in = EXPIRES_SECONDS, error, status_code }: TokenAnswer): Response {
  if (error !== undefined)
    return jsonResponse(typeof error === "string" ? { error } : error, status_code ?? 400);
  return jsonResponse(
    { access_token: access_token ?? "", token_type: "Bearer", expires_in },
    status_code ?? 200,
  );
}

/** Returns the id and secret of the header, which clients may use instead of the body (RFC 6749, section 2.3.1). */
function basicOf(request: Request): Record<string, string> {
  const basic = readBasic(request.headers.get("authorization") ?? "");
  return basic === undefined ? {} : { client_id: basic.id, client_secret: basic.secret };
}
