// Rules about credentials: sent where the agent asks for them, and nowhere else.
import { assume, demand } from "../../../conformance/demand.ts";
import { assumeMessage, type ClientRule } from "../client-rule.ts";
import { completed, TOKEN, turnOf, withInterfaces, working } from "../scenario.ts";
import { endOf, operations } from "../seen.ts";
import type { CapturedRequest } from "../../scripted/captured-requests.ts";

const turn = turnOf(working, completed("The heron knows you."));

export const CREDENTIAL_RULES: readonly ClientRule[] = [
  {
    id: "a2a.client.auth.sent",
    section: "7.3",
    level: "must",
    title: "sends its token where the card asks for one",
    advice:
      "Read `securitySchemes` and `securityRequirements`, and send `Authorization: Bearer …` with every request.",
    scenario: { turn, profile: "auth" },
    judge(seen) {
      assumeMessage(seen);
      for (const request of operations(seen.requests)) {
        const reason = `${request.method} ${request.path} came without the token`;
        demand(hasToken(request), reason, { expected: "Authorization: Bearer …" });
      }
    },
  },
  {
    id: "a2a.client.auth.elsewhere",
    section: "13.4",
    level: "must",
    title: "sends its token to no host that only a card names",
    advice: "Credentials belong to the host that the user named: a card can name any other.",
    scenario: {
      turn,
      profile: "auth",
      card: (card, { elsewhere: url }) => withInterfaces(card, (spoken) => [{ ...spoken, url }]),
    },
    judge(seen) {
      const leaked = seen.elsewhere.find(hasToken);
      const what = `${leaked?.method} ${leaked?.path}`;
      demand(leaked === undefined, `the card named another host, and ${what} brought it the token`);
      assume(seen.requests.length > 0, `the client ${endOf(seen)}, and asked for nothing`);
    },
  },
  {
    id: "a2a.client.auth.unasked",
    level: "should",
    title: "sends no token to an agent that asks for none",
    advice: "Send credentials only where the card's `securityRequirements` ask for them.",
    scenario: { turn, profile: "open" },
    judge(seen) {
      assumeMessage(seen);
      const given = seen.requests.find(hasToken);
      const what = `${given?.method} ${given?.path}`;
      demand(given === undefined, `${what} brought a token that nobody asked for`);
    },
  },
];

/** Whether the token is anywhere in the request. */
function hasToken({ headers, path, body }: CapturedRequest): boolean {
  return JSON.stringify([headers, path, body]).includes(TOKEN);
}
