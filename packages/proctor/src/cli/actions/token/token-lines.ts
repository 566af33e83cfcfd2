// A token in the few lines that are worth reading.
import type { Token } from "../../../core/token.ts";
import type { Paint } from "../../terminal/paint.ts";
import { field } from "../../terminal/run-summary.ts";
import { oneLine } from "../../terminal/text.ts";

export function tokenLines(token: Token, paint: Paint): string[] {
  const { binding, rate } = token;
  return [
    ...field("id", [token.id], paint),
    ...field("name", [oneLine(token.name)], paint),
    ...field("scopes", [token.scopes.join(", ")], paint),
    ...field("only for", [binding === null ? "" : `${binding.kind} ${binding.name}`], paint),
    ...field("rate", [rate === null ? "" : `${rate.per_second}/s, ${rate.burst} at once`], paint),
    ...field("expires", [token.expires_at ?? "never"], paint),
    ...field("used", [token.last_used_at ?? "never"], paint),
    ...field("used up", [token.used_by === null ? "" : `by agent ${token.used_by}`], paint),
    ...field(
      "old secret",
      [token.previous_until === null ? "" : `counts until ${token.previous_until}`],
      paint,
    ),
    ...field("revoked", [token.revoked_at ?? ""], paint),
    ...field("created", [`${token.created_at} by ${token.created_by}`], paint),
  ];
}

/** Returns the state of the token in one word, for lists. */
export function tokenState(token: Token, nowMs: number): string {
  if (token.revoked_at !== null) return "revoked";
  if (token.used_by !== null) return "used";
  return token.expires_at !== null && Date.parse(token.expires_at) <= nowMs ? "expired" : "valid";
}
