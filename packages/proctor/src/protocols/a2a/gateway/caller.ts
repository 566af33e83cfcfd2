// Who a request is from, as far as the gateway tells users apart: a header that a proxy in front of it sets after it has checked who is
// there. Whether somebody may use the gateway at all is decided before.
import { checkScope } from "../../../core/artifact-key.ts";
import { ProctorError } from "../../../core/errors.ts";
import { A2aError } from "../errors.ts";
import type { A2aCall } from "../service.ts";

const ANONYMOUS_USER = "anonymous";

/** Throws INVALID_REQUEST for an identity that cannot name a user. */
export function callerOf({ headers }: Pick<A2aCall, "headers">, identityHeader: string | undefined): string {
  const said = identityHeader === undefined ? undefined : headers[identityHeader.toLowerCase()]?.trim();
  if (said === undefined || said === "") return ANONYMOUS_USER;
  try {
    checkScope({ app: "-", user: said, session: "-" });
    return said;
  } catch (error) {
    if (!ProctorError.is(error)) throw error;
    throw new A2aError("INVALID_REQUEST", `the header ${identityHeader} names no user`, { cause: error });
  }
}
