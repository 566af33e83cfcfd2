// Rules about the card: where it is, what it says, how it is cached.
import { isJsonObject, type Json, type JsonObject } from "../../../../core/json.ts";
import { withoutTrailingSlashes } from "../../../trailing-slashes.ts";
import { whyNotTrusted } from "../../card/trusted-card.ts";
import { BINDINGS } from "../../service.ts";
import {
  anyway,
  broken,
  inVersion1,
  KEPT,
  noOccasion,
  overAll,
  overEach,
  type A2aFinding,
  type Check,
} from "../finding.ts";
import { describeError, isSaid, isThere, refusedWith, wellFormed } from "../judgement.ts";
import type { Found, Trial } from "../trial.ts";

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/([\w!#$&^.+-]+|\*)(\s*;.*)?$/;

/** A rule about the card as it came. */
function ofCard(
  check: (card: JsonObject, found: Found, trial: Trial) => A2aFinding | Promise<A2aFinding>,
): Check {
  return async (trial) => {
    const found = await trial.found();
    const { discovery } = found;
    if (!discovery.ok) return noOccasion("there is no card");
    return check(isJsonObject(discovery.received) ? discovery.received : {}, found, trial);
  };
}

/** A rule about a header of the card's answer. */
function ofHeader(name: string, isRight: (value: string) => boolean, expected: string): Check {
  return ofCard((_card, { transcript }) => {
    const value = transcript?.answered?.[name];
    if (value !== undefined && isRight(value)) return KEPT;
    return broken(`the card has no ${expected}`, transcript, { expected, got: value ?? "no such header" });
  });
}

const interfacesOf = (card: JsonObject): JsonObject[] => {
  const { supportedInterfaces, additionalInterfaces, url, preferredTransport } = card;
  if (Array.isArray(supportedInterfaces)) return supportedInterfaces.filter(isJsonObject);
  const main = { url, protocolBinding: preferredTransport ?? "JSONRPC" };
  const others = Array.isArray(additionalInterfaces) ? additionalInterfaces.filter(isJsonObject) : [];
  return [main, ...others.map(({ transport, ...more }) => ({ ...more, protocolBinding: transport }))];
};

function firstWrong(
  card: JsonObject,
  { transcript }: Found,
  wrong: (each: JsonObject) => string | undefined,
) {
  for (const [index, each] of interfacesOf(card).entries()) {
    const why = wrong(each);
    if (why !== undefined) return broken(`interface ${index + 1}: ${why}`, transcript, { got: each });
  }
  return KEPT;
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

/** The names of the schemes that the requirements ask for, in the form of either version. */
function requiredSchemes(card: JsonObject): string[] {
  const lists = [card["securityRequirements"], card["security"]];
  const entries = lists.flatMap((list) => (Array.isArray(list) ? list.filter(isJsonObject) : []));
  return entries.flatMap((entry) => Object.keys(isJsonObject(entry["schemes"]) ? entry["schemes"] : entry));
}

export const CARD_CHECKS = {
  "a2a.card.found": async (trial) => {
    const { discovery, transcript } = await trial.found();
    if (!discovery.ok) {
      const tried = discovery.tried.map(({ path, why }) => `${path}: ${why}`).join("; ");
      return broken(`no card: ${tried}`, transcript);
    }
    const { pathname } = discovery.url;
    if (pathname.endsWith("/agent-card.json") || discovery.url.href === trial.settings.url.href) return KEPT;
    return broken(`the card is only at ${pathname}`, transcript, {
      expected: "/.well-known/agent-card.json",
      got: pathname,
    });
  },
  "a2a.card.media": ofHeader(
    "content-type",
    (value) => /^application\/(json|a2a\+json)\s*(;|$)/i.test(value),
    "Content-Type of application/json",
  ),
  "a2a.card.fields": ofCard((_card, { discovery, transcript }) => {
    const problems = discovery.ok ? discovery.problems : [];
    // A card without an interface is another rule's.
    const others = problems.filter(({ path }) => !path.endsWith("supportedInterfaces"));
    return wellFormed({ problems: others, transcript: transcript ?? EMPTY });
  }),
  "a2a.card.interfaces": ofCard((card, { transcript }) => {
    const list = card["supportedInterfaces"];
    if (list === undefined || (Array.isArray(list) && list.length > 0)) return KEPT;
    return broken("the card names no interface", transcript, { got: list });
  }),
  "a2a.card.urls": ofCard((card, found) => firstWrong(card, found, urlProblem)),
  "a2a.card.bindings": ofCard((card, found) => firstWrong(card, found, bindingProblem)),
  "a2a.card.versions": ofCard((card, { transcript, discovery }) => {
    if (discovery.ok && discovery.version === "0.3")
      return noOccasion("the rule is of 1.0, and the card of 0.3");
    for (const { protocolVersion } of interfacesOf(card)) {
      if (typeof protocolVersion === "string" && /^\d+\.\d+$/.test(protocolVersion)) continue;
      return broken("a version is not major.minor", transcript, { expected: "1.0", got: protocolVersion });
    }
    return KEPT;
  }),
  "a2a.card.true": async (trial) => {
    const { unusable } = await trial.found();
    const finding = await overAll(trial, anyway, async (endpoint) => {
      const plain = await trial.plain(endpoint);
      if (isThere(plain)) return KEPT;
      return broken(`it does not answer: ${describeError(plain)}`, plain.transcript);
    });
    const left = unusable.find(({ interface: { protocolBinding } }) =>
      BINDINGS.some((known) => known === protocolBinding),
    );
    if (finding.outcome === "fail" || left === undefined) return finding;
    return noOccasion(`${left.interface.protocolBinding} ${left.interface.protocolVersion}: ${left.why}`);
  },
  "a2a.card.modes": ofCard((card, { transcript }) => {
    const wrong = modesOf(card).find((mode) => typeof mode !== "string" || !MEDIA_TYPE.test(mode));
    return wrong === undefined
      ? KEPT
      : broken("a mode is no media type", transcript, { expected: "text/plain", got: wrong });
  }),
  "a2a.card.skills": ofCard((card, { transcript }) => {
    const skills = Array.isArray(card["skills"]) ? card["skills"].filter(isJsonObject) : [];
    const ids = skills.map(({ id }) => id);
    const twice = ids.find((id, index) => ids.indexOf(id) !== index);
    return twice === undefined ? KEPT : broken("two skills have the same id", transcript, { got: twice });
  }),
  "a2a.card.security": ofCard((card, { transcript }) => {
    const declared = isJsonObject(card["securitySchemes"]) ? Object.keys(card["securitySchemes"]) : [];
    const missing = requiredSchemes(card).find((name) => !declared.includes(name));
    if (missing === undefined) return KEPT;
    return broken("a scheme is required and not declared", transcript, {
      expected: declared.join(", "),
      got: missing,
    });
  }),
  "a2a.card.cache": ofHeader(
    "cache-control",
    (value) => /\bmax-age=\d+/i.test(value),
    "Cache-Control with a max-age",
  ),
  "a2a.card.etag": ofHeader("etag", (value) => /^(W\/)?"[^"]*"$/.test(value), "ETag in quotes"),
  "a2a.card.not_modified": ofCard(async (_card, { discovery, transcript }, trial) => {
    const etag = transcript?.answered?.["etag"];
    if (etag === undefined || !discovery.ok) return noOccasion("the card has no ETag");
    const headers = { accept: "application/json", "a2a-version": "1.0", "if-none-match": etag };
    const again = await trial.raw({ url: discovery.url, headers, as: trial.identity });
    if (again.status === 304) return KEPT;
    return broken("the same card was sent again", again, { expected: "304", got: again.status });
  }),
  "a2a.card.last_modified": ofHeader(
    "last-modified",
    (value) => !Number.isNaN(Date.parse(value)),
    "Last-Modified",
  ),
  "a2a.card.old_place": async (trial) => {
    const url = new URL(trial.settings.url);
    url.pathname = `${withoutTrailingSlashes(url.pathname)}/.well-known/agent.json`;
    const transcript = await trial.raw({ url, headers: { accept: "application/json" }, as: trial.identity });
    return transcript.status === 200
      ? KEPT
      : broken("nothing is there", transcript, { expected: "200", got: transcript.status });
  },
  "a2a.card.signature": ofCard(async (card, { transcript }, { settings, signal }) => {
    if (settings.card_keys === undefined)
      return noOccasion("options.card_keys names no key to verify it with");
    const why = await whyNotTrusted(card, settings.card_keys, signal);
    return why === undefined ? KEPT : broken(why, transcript);
  }),
  "a2a.card.extended": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const attempt = await trial.ask(endpoint, (service, call) => service.extendedCard(call));
      if (attempt.error === undefined) return wellFormed(attempt);
      if (attempt.error.reason === "UNAUTHENTICATED" || attempt.error.reason === "PERMISSION_DENIED")
        return noOccasion(
          "it needs credentials; give them with --header or options.auth",
          attempt.transcript,
        );
      return broken(describeError(attempt), attempt.transcript);
    }),
  "a2a.card.extended_guarded": (trial) =>
    overEach(trial, anyway, async (endpoint) => {
      const attempt = await trial.ask(endpoint, (service, call) => service.extendedCard(call), {
        as: trial.nobody,
      });
      if (attempt.error === undefined)
        return broken("it was given to a client without credentials", attempt.transcript);
      return isSaid(attempt) ? KEPT : noOccasion(describeError(attempt), attempt.transcript);
    }),
  "a2a.card.extended_refused": (trial) =>
    overEach(trial, inVersion1, async (endpoint) =>
      refusedWith(
        await trial.ask(endpoint, (service, call) => service.extendedCard(call)),
        "UNSUPPORTED_OPERATION",
      ),
    ),
  "a2a.card.extension": (trial) =>
    overEach(trial, inVersion1, async (endpoint) =>
      refusedWith(
        await trial.ask(endpoint, (service, call) => service.send({ message: trial.message() }, call), {
          extensions: [],
        }),
        "EXTENSION_SUPPORT_REQUIRED",
      ),
    ),
} satisfies Record<string, Check>;

const EMPTY = { method: "GET", url: "", headers: {}, received: "", durationMs: 0 };
