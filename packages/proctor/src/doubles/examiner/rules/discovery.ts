// Rules about finding an agent: its card, its versions, its addresses.
import { assume, demand } from "../../../conformance/demand.ts";
import { isJsonObject } from "../../../core/json.ts";
import { assumeMessage, demandPrinted, type ClientRule } from "../client-rule.ts";
import { completed, inVersion1, turnOf, withInterfaces, working } from "../scenario.ts";
import { endOf, gaveUp, operations, type Seen } from "../seen.ts";

const turn = turnOf(working, completed("The heron is in the reeds."));
const CARD = "/.well-known/agent-card.json";

export const DISCOVERY_RULES: readonly ClientRule[] = [
  {
    id: "a2a.client.card.path",
    section: "8.2",
    level: "must",
    title: "asks for the agent's card at its well-known path",
    advice: `Ask for ${CARD} under the agent's address before anything else.`,
    scenario: { turn },
    judge({ requests }) {
      const asked = requests.find(({ method, path }) => method === "GET" && path === CARD);
      demand(asked !== undefined, "the client did not ask for the card", {
        expected: `GET ${CARD}`,
        got: pathsOf(requests),
      });
    },
  },
  {
    id: "a2a.client.version.header",
    section: "3.6.1",
    level: "must",
    title: "names the version that it speaks in every request",
    advice: "Send `A2A-Version: 1.0` with each request of 1.0, that for the card too.",
    scenario: { turn, card: inVersion1 },
    judge(seen) {
      assumeMessage(seen);
      for (const { method, path, headers } of operations(seen.requests)) {
        const got = headers["a2a-version"] ?? "no such header";
        const expected = "A2A-Version: 1.0";
        demand(got === "1.0", `${method} ${path} does not name its version`, { expected, got });
      }
    },
  },
  {
    id: "a2a.client.version.unknown",
    section: "3.6.1",
    level: "should",
    title: "says nothing to an agent whose versions it does not speak",
    advice:
      "Compare the card's protocolVersion with the versions that the client speaks, and tell its user when none fits.",
    scenario: {
      turn,
      card: (card) =>
        withInterfaces(card, (spoken, index) => (index === 0 ? [{ ...spoken, protocolVersion: "7.0" }] : [])),
    },
    judge(seen) {
      const [sent] = operations(seen.requests);
      const what = `${sent?.method} ${sent?.path}`;
      demand(sent === undefined, `the agent speaks 7.0 alone, and the client sent ${what}`);
      demand(gaveUp(seen), `the client ${endOf(seen)}, as if it had talked to the agent`);
    },
  },
  {
    id: "a2a.client.interface.url",
    section: "8.3.2",
    level: "must",
    title: "talks to the address that the card names",
    advice:
      "Take the address of an interface from the card; the address at which the card was found may be another.",
    scenario: {
      turn,
      card: (card, { agent }) => withInterfaces(card, (spoken) => [{ ...spoken, url: `${agent}/open` }]),
    },
    judge(seen) {
      assumeMessage(seen);
      const got = operations(seen.requests).find(({ path }) => !path.startsWith("/open"))?.path;
      demand(got === undefined, "the client talks to another address", { expected: "/open", got });
      demandPrinted(seen, "The heron is in the reeds.");
    },
  },
  {
    id: "a2a.client.interface.unknown",
    section: "8.3.2",
    level: "must",
    title: "passes over interfaces that it does not know",
    advice: "Go through the card's interfaces in order, and take the first whose binding the client speaks.",
    scenario: {
      turn,
      card: (card, { agent }) => ({
        ...card,
        supportedInterfaces: [
          { url: agent, protocolBinding: "https://example.com/bindings/semaphore", protocolVersion: "1.0" },
          ...card.supportedInterfaces,
        ],
      }),
    },
    judge: (seen) => demandPrinted(seen, "The heron is in the reeds."),
  },
  {
    id: "a2a.client.interface.tenant",
    section: "8.3.2",
    level: "must",
    title: "sends the tenant that the card names",
    advice: "Set `tenant` in every request to the value that the chosen interface has in the card.",
    scenario: {
      turn,
      card: (card) => withInterfaces(inVersion1(card), (spoken) => [{ ...spoken, tenant: "pond" }]),
    },
    judge(seen) {
      const [sent] = operations(seen.requests);
      assume(sent !== undefined, `the client ${endOf(seen)}, and sent no message`);
      const { body, path } = sent;
      const params = isJsonObject(body) && isJsonObject(body["params"]) ? body["params"] : body;
      const tenant = isJsonObject(params) ? params["tenant"] : undefined;
      const isNamed = tenant === "pond" || path.startsWith("/pond/");
      demand(isNamed, "the request does not name the tenant", { expected: '"tenant": "pond"', got: path });
    },
  },
];

function pathsOf(requests: Seen["requests"]): string {
  return requests.map(({ method, path }) => `${method} ${path}`).join(", ") || "nothing";
}
