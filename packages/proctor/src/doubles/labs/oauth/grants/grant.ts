// What a grant is: a client and a form in, the answer of the token endpoint out.
import type { JsonObject } from "../../../../core/json.ts";
import type { TokenFault } from "../../../../core/oauth-script.ts";
import type { Form } from "../form.ts";
import type { LabDeps } from "../lab-deps.ts";
import type { KnownClient } from "../settings.ts";

export interface GrantRequest {
  /** The authenticated client, which may use the grant. */
  client: KnownClient;
  form: Form;
  fault: TokenFault | undefined;
}

/** Answers a token request of one grant type. Throws OAuthError. */
export type Grant = (parts: LabDeps, request: GrantRequest) => Promise<JsonObject>;
