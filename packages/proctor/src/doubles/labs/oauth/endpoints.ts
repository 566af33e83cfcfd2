// The endpoints of a mock OAuth server and their paths.
import type { OAuthEndpoint } from "../../../core/oauth-script.ts";
import { answerAuthorize } from "./endpoints/authorize.ts";
import { answerDevice, answerDeviceAuthorization } from "./endpoints/device.ts";
import { answerDiscovery, answerJwks } from "./endpoints/metadata.ts";
import { answerToken } from "./endpoints/token.ts";
import { answerIntrospect, answerRevoke, answerUserinfo } from "./endpoints/tokens-in-use.ts";
import type { LabDeps, Visit } from "./lab-deps.ts";

export interface OAuthPlace {
  method: string;
  path: string;
  name: OAuthEndpoint;
  /** Answers a request; throws OAuthError. */
  answer: (deps: LabDeps, visit: Visit) => Response | Promise<Response>;
}

export const OAUTH_PLACES: readonly OAuthPlace[] = [
  { method: "GET", path: "/.well-known/openid-configuration", name: "discovery", answer: answerDiscovery },
  {
    method: "GET",
    path: "/.well-known/oauth-authorization-server",
    name: "discovery",
    answer: answerDiscovery,
  },
  { method: "GET", path: "/jwks", name: "jwks", answer: answerJwks },
  { method: "GET", path: "/authorize", name: "authorize", answer: answerAuthorize },
  { method: "POST", path: "/authorize", name: "authorize", answer: answerAuthorize },
  { method: "POST", path: "/token", name: "token", answer: answerToken },
  {
    method: "POST",
    path: "/device_authorization",
    name: "device_authorization",
    answer: answerDeviceAuthorization,
  },
  { method: "GET", path: "/device", name: "device", answer: answerDevice },
  { method: "POST", path: "/device", name: "device", answer: answerDevice },
  { method: "GET", path: "/userinfo", name: "userinfo", answer: answerUserinfo },
  { method: "POST", path: "/userinfo", name: "userinfo", answer: answerUserinfo },
  { method: "POST", path: "/introspect", name: "introspect", answer: answerIntrospect },
  { method: "POST", path: "/revoke", name: "revoke", answer: answerRevoke },
];
