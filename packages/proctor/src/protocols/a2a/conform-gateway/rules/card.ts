// Rules about the gateway's card: it is the gateway's own, and true.
import { assume, demand } from "../../conform/finding.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import { answerOf } from "../findings.ts";
import { EXTENDED_SKILL, SKILL } from "../upstream-card.ts";
import { KEY_ID } from "../upstream.ts";

export const CARD_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.card.served",
    section: "8.2",
    level: "must",
    title: "serves a card of the agent behind it",
    advice: "Serve the card at /.well-known/agent-card.json below the address that clients are given.",
    first: true,
    anyway: true,
    examine({ found: { card, transcript, discovery } }) {
      const tried = discovery.ok ? [] : discovery.tried.map(({ path, why }) => `${path}: ${why}`);
      const reason = "there is no card that can be read";
      demand(card !== undefined, reason, transcript, { got: tried.join("; ") });
    },
  },
  {
    id: "gateway.card.urls",
    section: "8.3.1",
    level: "must",
    title: "every address in its card is its own, and none is the upstream's",
    advice: "Write the address at which clients reach the gateway into every interface of the card.",
    first: true,
    anyway: true,
    needsCard: true,
    examine({ found: { card, transcript, unusable }, upstream: { host } }) {
      const showsIt = JSON.stringify(card).includes(host);
      demand(!showsIt, "the card shows the upstream's address", transcript, { got: host });
      const got = unusable.find(({ why }) => /another host/.test(why))?.interface.url;
      demand(got === undefined, "an interface of the card is not at the gateway", transcript, { got });
    },
  },
  {
    id: "gateway.card.skills",
    level: "should",
    title: "names the skills of the agent behind it",
    advice: "Take the skills from the upstream's card, unless they are left out on purpose.",
    first: true,
    anyway: true,
    needsCard: true,
    examine({ found: { card, transcript } }) {
      const got = (card?.skills ?? []).map(({ id }) => id);
      const hasIt = got.some((id) => id.includes(SKILL));
      demand(hasIt, "the card lacks the upstream's skill", transcript, { expected: SKILL, got });
    },
  },
  {
    id: "gateway.card.signature",
    section: "8.4",
    level: "must",
    title: "passes no signature on that holds for another card",
    advice: "Remove the upstream's signatures when the card is changed, and sign the new one if you like.",
    first: true,
    anyway: true,
    needsCard: true,
    examine({ found: { card, transcript } }) {
      const stale = (card?.signatures ?? []).find((signature) => isUpstreams(signature["protected"]));
      const reason = "the card was changed, and still has the upstream's signature";
      demand(stale === undefined, reason, transcript, { got: `a signature of the key ${KEY_ID}` });
    },
  },
  {
    id: "gateway.card.extended",
    section: "3.1.11",
    level: "must",
    when: "an extended card",
    title: "gives the extended card that it claims, with no address of the upstream",
    advice: "Rewrite the extended card as the public one, or do not claim it.",
    async examine({ ask, upstream: { host } }) {
      const attempt = await ask((service, call) => service.extendedCard(call));
      const { error, transcript } = attempt;
      assume(error?.reason !== "UNAUTHENTICATED", "the gateway wants credentials for it");
      const value = answerOf(attempt, "the request for the extended card");
      const showsIt = JSON.stringify(value).includes(host);
      demand(!showsIt, "the extended card shows the upstream's address", transcript, { got: host });
      const hasSkill = value.skills.some(({ id }) => id.includes(EXTENDED_SKILL));
      const seen = { expected: EXTENDED_SKILL };
      demand(hasSkill, "it is not the upstream's extended card", transcript, seen);
    },
  },
];

function isUpstreams(header: unknown): boolean {
  return typeof header === "string" && Buffer.from(header, "base64url").toString().includes(KEY_ID);
}
