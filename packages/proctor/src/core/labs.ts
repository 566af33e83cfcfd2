// The labs of a run: servers that its agent meets. Written in YAML by people, carried by a run, served by doubles/labs.
import type { JsonObject } from "./json.ts";
import type { OAuthScript } from "./oauth-script.ts";
import type { PushScript } from "./push-script.ts";
import type { Secret } from "./redact.ts";

export interface LabSet extends JsonObject {
  /** An OAuth and OpenID Connect server. */
  oauth?: OAuthScript;
  /** A receiver of push notifications and webhooks. */
  push?: PushScript;
}

/** The variables by which an agent finds the labs. */
export const LAB_VARIABLES = { oauth: "LAB_OAUTH_URL", push: "LAB_PUSH_URL" } as const;

/** Returns the secrets of clients and deliveries, which may be real ones. */
export function secretsOfLabs({ oauth, push }: LabSet): Secret[] {
  const { token, authorization, secret } = push?.verify ?? {};
  return [
    ...(oauth?.clients ?? []).map((client) => ({
      name: `labs.oauth.${client.id}`,
      value: client.secret ?? "",
    })),
    { name: "labs.push.token", value: token ?? "" },
    { name: "labs.push.authorization", value: authorization ?? "" },
    { name: "labs.push.secret", value: secret ?? "" },
  ].filter(({ value }) => value !== "");
}
