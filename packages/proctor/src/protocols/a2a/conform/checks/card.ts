// Rules about the card: where it is, what it says, how it is cached.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { withoutTrailingSlashes } from "../../../trailing-slashes.ts";
import { whyNotTrusted } from "../../card/trusted-card.ts";
import { BINDINGS } from "../../service.ts";
import { findingOf } from "../../../../conformance/demand.ts";
import { anyway, assume, demand, inVersion1, noOccasion, overAll, overEach, type Check } from "../finding.ts";
import { demandForm, demandRefusal, describeError, isSaid, isThere } from "../judgement.ts";
import type { Found, Trial } from "../trial.ts";
import { NEEDS_CREDENTIALS } from "./send.ts";

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/([\w!#$&^.+-]+|\*)(\s*;.*)?$/;

/** Makes a rule about the card as it came. */
function ofCard(check: (card: JsonObject, found: Found, trial: Trial) => Promise<void> | void): Check {
  return (trial) =>
    findingOf(async () => {
      const found = await trial.found();
      const { discovery } = found;
      assume(discovery.ok, "there is no card");
      await check(isJsonObject(discovery.received) ? discovery.received : {}, found, trial);
    });
}

/** Makes a rule about a header of the card's answer. */
function ofHeader(name: string, isRight: (value: string) => boolean, expected: string): Check {
  return ofCard((_card, { transcript }) => {
    const value = transcript?.answered?.[name];
    const hasIt = value !== undefined && isRight(value);
    demand(hasIt, `the card has no ${expected}`, transcript, { expected, got: value ?? "no such header" });
  });
}

const interfacesOf = (card: JsonObject): JsonObject[] => {
  const { supportedInterfaces, additionalInterfaces, url, preferredTransport } = card;
  if (Array.isArray(supportedInterfaces)) return supportedInterfaces.filter(isJsonObject);
  const main = { url, protocolBinding: preferredTransport ?? "JSONRPC" };
  const others = Array.isArray(additionalInterfaces) ? additionalInterfaces.filter(isJsonObject) : [];
  return [main, ...others.map(({ transport, ...more }) => ({ ...more, protocolBinding: transport }))];
};

function ofInterfaces(problem: (each: JsonObject) => string | undefined): Check {
  return ofCard((card, { transcript }) => {
    for (const [index, got] of interfacesOf(card).entries()) {
      const why = problem(got);
      demand(why === undefined, `interface ${index + 1}: ${why}`, transcript, { got });
    }
  });
}

function urlProblem({ url, protocolBinding }: JsonObject): string | undefined {
  if (typeof url !== "string") return "it has no url";
  if (protocolBinding === "GRPC" && /^[^/\s]+:\d+$/.test(url)) return undefined;
  const isAbsolute = /^[a-z][a-z0-9+.-]*:\/\/./i.test(url) && URL.canParse(url);
  return isAbsolute ? undefined : `${JSON.stringify(url)} is not absolute`;
}

function bindingProblem({ protocolBinding: binding }: JsonObject): string | undefined {
  if (BINDINGS.some((known) => known === binding)) return undefined;
  const isUri = typeof binding === "string" && /^[a-z][a-z0-9+.-]*:\S+$/i.test(binding);
  return isUri ? undefined : `${JSON.stringify(binding ?? null)} is no binding`;
}

function modesOf(card: JsonObject): Json[] {
  const skills = Array.isArray(card["skills"]) ? card["skills"].filter(isJsonObject) : [];
  const lists = [
    card["defaultInputModes"],
    card["defaultOutputModes"],
    ...skills.flatMap(({ inputModes, outputModes }) => [inputModes, outputModes]),
  ];
  return lists.flatMap((list) => (Array.isArray(list) ? list : []));
}

/** Returns the names of the schemes that the requirements ask for, in the form of either version. */
function requiredSchemes(card: JsonObject): string[] {
  const lists = [card["securityRequirements"], card["security"]];
  const entries = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  return entries.flatMap((entry) => Object.keys(isJsonObject(entry["schemes"]) ? entry["schemes"] : entry));
}

export const CARD_CHECKS = {
  "a2a.card.found": (trial) =>
    findingOf(async () => {
      const { discovery, transcript } = await trial.found();
      const tried = discovery.ok ? [] : discovery.tried.map(({ path, why }) => `${path}: ${why}`);
      demand(discovery.ok, `no card: ${tried.join("; ")}`, transcript);
      const { pathname: got, href } = discovery.url;
      const isInPlace = got.endsWith("/agent-card.json") || href === trial.settings.url.href;
      demand(isInPlace, `the card is only at ${got}`, transcript, {
        expected: "/.well-known/agent-card.json",
        got,
      });
    }),
  "a2a.card.media": ofHeader(
    "content-type",
    (value) => /^application\/(json|a2a\+json)\s*(;|$)/i.test(value),
    "Content-Type of application/json",
  ),
  "a2a.card.fields": ofCard((_card, { discovery, transcript }) => {
    const problems = discovery.ok ? discovery.problems : [];
    // A card without an interface belongs to another rule.
    const others = problems.filter(({ path }) => !path.endsWith("supportedInterfaces"));
    demandForm({ problems: others, transcript: transcript ?? EMPTY });
  }),
  "a2a.card.interfaces": ofCard((card, { transcript }) => {
    const list = card["supportedInterfaces"];
    const hasAny = list === undefined || (Array.isArray(list) && list.length > 0);
    demand(hasAny, "the card names no interface", transcript, { got: list });
  }),
  "a2a.card.urls": ofInterfaces(urlProblem),
  "a2a.card.bindings": ofInterfaces(bindingProblem),
  "a2a.card.versions": ofCard((card, { transcript, discovery }) => {
    const isOld = discovery.ok && discovery.version === "0.3";
    assume(!isOld, "the rule is of 1.0, and the card of 0.3");
    for (const { protocolVersion: got } of interfacesOf(card)) {
      const isRight = typeof got === "string" && /^\d+\.\d+$/.test(got);
      demand(isRight, "a version is not major.minor", transcript, { expected: "1.0", got });
    }
  }),
  "a2a.card.true": async (trial) => {
    const { unusable } = await trial.found();
    const finding = await overAll(anyway, async (endpoint) => {
      const plain = await trial.plain(endpoint);
      demand(isThere(plain), `it does not answer: ${describeError(plain)}`, plain.transcript);
    })(trial);
    const left = unusable.find(({ interface: { protocolBinding } }) =>
      BINDINGS.some((known) => known === protocolBinding),
    );
    if (finding.outcome === "fail" || left === undefined) return finding;
    return noOccasion(`${left.interface.protocolBinding} ${left.interface.protocolVersion}: ${left.why}`);
  },
  "a2a.card.modes": ofCard((card, { transcript }) => {
    const got = modesOf(card).find((mode) => typeof mode !== "string" || !MEDIA_TYPE.test(mode));
    demand(got === undefined, "a mode is no media type", transcript, { expected: "text/plain", got });
  }),
  "a2a.card.skills": ofCard((card, { transcript }) => {
    const skills = Array.isArray(card["skills"]) ? card["skills"].filter(isJsonObject) : [];
    const ids = skills.map(({ id }) => id);
    const got = ids.find((id, index) => ids.indexOf(id) !== index);
    demand(got === undefined, "two skills have the same id", transcript, { got });
  }),
  "a2a.card.security": ofCard((card, { transcript }) => {
    const declared = isJsonObject(card["securitySchemes"]) ? Object.keys(card["securitySchemes"]) : [];
    const got = requiredSchemes(card).find((name) => !declared.includes(name));
    const expected = declared.join(", ");
    demand(got === undefined, "a scheme is required and not declared", transcript, { expected, got });
  }),
  "a2a.card.cache": ofHeader(
    "cache-control",
    (value) => /\bmax-age=\d+/i.test(value),
    "Cache-Control with a max-age",
  ),
  "a2a.card.etag": ofHeader("etag", (value) => /^(W\/)?"[^"]*"$/.test(value), "ETag in quotes"),
  "a2a.card.not_modified": ofCard(async (_card, { discovery, transcript }, trial) => {
    const etag = transcript?.answered?.["etag"];
    assume(etag !== undefined && discovery.ok, "the card has no ETag");
    const headers = { accept: "application/json", "a2a-version": "1.0", "if-none-match": etag };
    const again = await trial.raw({ url: discovery.url, headers, as: trial.identity });
    const { status: got } = again;
    demand(got === 304, "the same card was sent again", again, { expected: "304", got });
  }),
  "a2a.card.last_modified": ofHeader(
    "last-modified",
    (value) => !Number.isNaN(Date.parse(value)),
    "Last-Modified",
  ),
  "a2a.card.old_place": (trial) =>
    findingOf(async () => {
      const url = new URL(trial.settings.url);
      url.pathname = `${withoutTrailingSlashes(url.pathname)}/.well-known/agent.json`;
      const headers = { accept: "application/json" };
      const transcript = await trial.raw({ url, headers, as: trial.identity });
      const { status: got } = transcript;
      demand(got === 200, "nothing is there", transcript, { expected: "200", got });
    }),
  "a2a.card.signature": ofCard(async (card, { transcript }, { settings, signal }) => {
    const { card_keys: keys } = settings;
    assume(keys !== undefined, "options.card_keys names no key to verify it with");
    const why = await whyNotTrusted(card, keys, signal);
    demand(why === undefined, why ?? "", transcript);
  }),
  "a2a.card.extended": overEach(anyway, async (endpoint, trial) => {
    const attempt = await trial.ask(endpoint, (service, call) => service.extendedCard(call));
    const { reason } = attempt.error ?? {};
    const isGuarded = reason === "UNAUTHENTICATED" || reason === "PERMISSION_DENIED";
    assume(!isGuarded, NEEDS_CREDENTIALS, attempt.transcript);
    demand(reason === undefined, describeError(attempt), attempt.transcript);
    demandForm(attempt);
  }),
  "a2a.card.extended_guarded": overEach(anyway, async (endpoint, trial) => {
    const as = trial.nobody;
    const attempt = await trial.ask(endpoint, (service, call) => service.extendedCard(call), { as });
    const { error, transcript } = attempt;
    demand(error !== undefined, "it was given to a client without credentials", transcript);
    assume(isSaid(attempt), describeError(attempt), transcript);
  }),
  "a2a.card.extended_refused": overEach(inVersion1, async (endpoint, trial) =>
    demandRefusal(
      await trial.ask(endpoint, (service, call) => service.extendedCard(call)),
      "UNSUPPORTED_OPERATION",
    ),
  ),
  "a2a.card.extension": overEach(inVersion1, async (endpoint, trial) => {
    const request = { message: trial.message() };
    const attempt = await trial.ask(endpoint, (service, call) => service.send(request, call), {
      extensions: [],
    });
    demandRefusal(attempt, "EXTENSION_SUPPORT_REQUIRED");
  }),
} satisfies Record<string, Check>;

const EMPTY = { method: "GET", url: "", headers: {}, received: "", durationMs: 0 };
