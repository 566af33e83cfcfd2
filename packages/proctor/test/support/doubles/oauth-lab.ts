// A mock OAuth server on a real socket for each test, and a client of it that speaks plain HTTP.
import { hash } from "node:crypto";
import type { OAuthScript } from "../../../src/core/oauth-script.ts";
import {
  openOAuthLab,
  type OAuthLab,
  type OAuthLabOptions,
} from "../../../src/doubles/labs/oauth/open-oauth-lab.ts";
import { afterEveryTest } from "../closing.ts";
import { createManualClock, type ManualClock } from "../manual-clock.ts";

export interface StartedOAuth extends OAuthLab {
  clock: ManualClock;
  /** Posts a form to a path; without credentials among the fields, as the client `test`. */
  post(path: string, fields: Form, headers?: Record<string, string>): Promise<Answered>;
  token(fields: Form, headers?: Record<string, string>): Promise<Answered>;
  /** Asks for a code with these parameters in the place of the usual ones; answers where the user is sent. */
  authorize(fields?: Form): Promise<{ status: number; location: URL | undefined; body: string }>;
  /** Exchanges a fresh code. */
  login(scope?: string): Promise<Answered["body"]>;
}

export interface Answered {
  status: number;
  headers: Headers;
  /** The members that tests read are texts; numbers among them are only compared. */
  body: Readonly<Record<string, string>>;
}

type Form = Readonly<Record<string, string>>;

export const VERIFIER = "a".repeat(43);
export const CHALLENGE = hash("sha256", VERIFIER, "buffer").toString("base64url");
export const CALLBACK = "http://127.0.0.1:7777/callback";
const CLIENT = { client_id: "test", client_secret: "secret" };

const open: OAuthLab[] = [];

afterEveryTest(async () => {
  await Promise.all(open.splice(0).map((lab) => lab.close()));
});

export async function startOAuth(
  script: OAuthScript = {},
  options: Partial<OAuthLabOptions> = {},
): Promise<StartedOAuth> {
  const clock = createManualClock();
  const lab = await openOAuthLab({
    host: "127.0.0.1",
    port: 0,
    clock,
    ...options,
    // Quicker than RSA; a test that asks for RS256 gets it.
    script: { algorithm: "ES256", ...script },
  });
  open.push(lab);

  const post: StartedOAuth["post"] = (path, fields, headers = {}) => {
    const isNamed = headers["authorization"] !== undefined || fields["client_id"] !== undefined;
    return postForm(`${lab.url}${path}`, { ...(!isNamed && CLIENT), ...fields }, headers);
  };
  const authorize: StartedOAuth["authorize"] = async (fields = {}) => {
    const asked = {
      response_type: "code",
      client_id: "test",
      redirect_uri: CALLBACK,
      code_challenge: CHALLENGE,
      code_challenge_method: "S256",
      state: "s t&te",
      ...fields,
    };
    const query = new URLSearchParams(Object.entries(asked).filter(([, value]) => value !== ""));
    const response = await fetch(`${lab.url}/authorize?${query.toString()}`, { redirect: "manual" });
    const location = response.headers.get("location");
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location),
      body: await response.text(),
    };
  };
  const token: StartedOAuth["token"] = (fields, headers) => post("/token", fields, headers);
  return {
    ...lab,
    clock,
    post,
    token,
    authorize,
    async login(scope = "openid read") {
      const { location } = await authorize({ scope });
      const { body } = await token(codeForm(location?.searchParams.get("code") ?? ""));
      return body;
    },
  };
}

export function codeForm(code: string): Form {
  return { grant_type: "authorization_code", code, redirect_uri: CALLBACK, code_verifier: VERIFIER };
}

export function basic(id: string, secret: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}

export function bearer(token: string | undefined): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

async function postForm(url: string, fields: Form, headers: Record<string, string>): Promise<Answered> {
  const response = await fetch(url, { method: "POST", headers, body: new URLSearchParams(fields) });
  const text = await response.text();
  // Answers of the server are objects, or nothing.
  const body = (text === "" ? {} : JSON.parse(text)) as Answered["body"];
  return { status: response.status, headers: response.headers, body };
}
