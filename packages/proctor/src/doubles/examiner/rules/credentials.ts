// Rules about credentials: sent where the agent asks for them, and nowhere else.
import { fail, pass, unevaluated } from "../../../conformance/finding.ts";
import { afterMessage, type ClientRule } from "../client-rule.ts";
import { completed, TOKEN, turnOf, working } from "../scenario.ts";
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
    judge: (seen) =>
      afterMessage(seen, () => {
        const without = operations(seen.requests).find((request) => !hasToken(request));
        if (!without) return pass();
        const { method, path } = without;
        return { ...fail(`${method} ${path} came without the token`), expected: "Authorization: Bearer …" };
      }),
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
      card: (card, { elsewhere }) => ({
        ...card,
        supportedInterfaces: card.supportedInterfaces.map((spoken) => ({ ...spoken, url: elsewhere })),
      }),
    },
    judge(seen) {
      const leaked = seen.elsewhere.find(hasToken);
      if (leaked)
        return fail(`the card named another host, and ${leaked.method} ${leaked.path} brought it the token`);
      const { requests } = seen;
      return requests.length > 0 ? pass() : unevaluated(`the client ${endOf(seen)}, and asked for nothing`);
    },
  },
  {
    id: "a2a.client.auth.unasked",
    level: "should",
    title: "sends no token to an agent that asks for none",
    advice: "Send credentials only where the card's `securityRequirements` ask for them.",
    scenario: { turn, profile: "open" },
    judge: (seen) =>
      afterMessage(seen, () => {
        const given = seen.requests.find(hasToken);
        return given ? fail(`${given.method} ${given.path} brought a token that nobody asked for`) : pass();
      }),
  },
];

/** Wherever it stands. */
function hasToken({ headers, path, body }: CapturedRequest): boolean {
  return JSON.stringify([headers, path, body]).includes(TOKEN);
}
