// Rules about headers: which go through, and which belong to one side alone.
import { randomHex } from "../../../../core/random.ts";
import { NOBODY, type Attempt } from "../../conform/caller.ts";
import { assume, demand } from "../../conform/finding.ts";
import type { SendResult } from "../../model.ts";
import type { A2aCall } from "../../service.ts";
import { answerOf, arrival, arrivedAt } from "../findings.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import type { Stage } from "../stage.ts";
import { EXTENSION } from "../upstream-card.ts";
import { INSIDE } from "../upstream.ts";

/** Sends a plain message, and judges the call that reached the upstream. */
function whatArrives(
  judge: (call: A2aCall, attempt: Attempt<SendResult>, stage: Stage) => void,
  options?: Parameters<Stage["send"]>[1],
): GatewayRule["examine"] {
  return async (stage) => {
    const played = stage.scene();
    const attempt = await stage.send(played, options);
    const arrived = arrivedAt(played);
    if (arrived === undefined) answerOf({ ...attempt, value: undefined }, "a message");
    else judge(arrived.call, attempt, stage);
  };
}

export const HEADER_RULES: readonly GatewayRule[] = [
  {
    id: "gateway.header.version",
    section: "3.6.1",
    level: "must",
    title: "tells the upstream which version of A2A it speaks",
    advice: "Send `A2A-Version` with every request to the upstream, with the version of its interface.",
    examine: whatArrives((call, attempt) => {
      const got = call.headers["a2a-version"];
      // Version 0.3 has no such header.
      const isNamed = got === call.version || call.version === "0.3";
      demand(isNamed, "the request to the upstream names no version", attempt.transcript, {
        expected: `A2A-Version: ${call.version}`,
        got: got ?? "no such header",
      });
    }),
  },
  {
    id: "gateway.header.extensions",
    section: "3.2.6",
    level: "must",
    title: "passes on which extensions the client asks for",
    advice: "Send the client's `A2A-Extensions` on to the upstream.",
    examine: whatArrives(
      ({ extensions: got }, { transcript }) => {
        const reason = "the extension that the client asked for did not arrive";
        demand(got.includes(EXTENSION), reason, transcript, { expected: EXTENSION, got });
      },
      { extensions: [EXTENSION] },
    ),
  },
  {
    id: "gateway.header.trace",
    level: "should",
    title: "continues the client's trace",
    advice: "Send `traceparent` on, with the same trace id: otherwise a trace ends at the gateway.",
    examine: whatArrives((call, attempt) => {
      const traceOf = (header = ""): string => header.split("-")[1] ?? "";
      const expected = traceOf(attempt.transcript.headers["traceparent"]);
      const got = traceOf(call.headers["traceparent"]);
      demand(got === expected, "the upstream got another trace id", attempt.transcript, { expected, got });
    }),
  },
  {
    id: "gateway.header.hop",
    section: "RFC 9110 7.6.1",
    level: "must",
    title: "keeps headers that are for one connection to itself",
    advice: "Remove `Connection`, the headers that it names, `Keep-Alive`, `TE` and `Proxy-Connection`.",
    examine: (stage) => {
      const value = `proctor-hop-${randomHex(4)}`;
      const headers = { connection: "x-proctor-hop", "x-proctor-hop": value };
      return stays(stage, headers, value, "a header of the client's connection");
    },
  },
  {
    id: "gateway.header.host",
    level: "should",
    title: "asks the upstream by the upstream's own name",
    advice: "Send the upstream's address as `Host`; tell the client's in `Forwarded` if it is needed.",
    examine: whatArrives(({ headers: { host: got } }, { transcript }, { upstream: { host: expected } }) =>
      demand(got === expected, "the request has another `Host`", transcript, { expected, got }),
    ),
  },
  {
    id: "gateway.header.cookies",
    section: "13.4",
    level: "should",
    title: "keeps the client's cookies to itself",
    advice: "Send no `Cookie` on: it belongs to the gateway's address.",
    examine: (stage) => {
      const value = `proctor-cookie-${randomHex(8)}`;
      return stays(stage, { cookie: `session=${value}` }, value, "the client's cookie");
    },
  },
  {
    id: "gateway.header.credentials",
    section: "13.4",
    level: "should",
    title: "keeps the credentials that the client has for it to itself",
    advice:
      "Send credentials of the gateway's own to the upstream. If clients' tokens are meant to be passed on, this warning is yours to accept.",
    examine: ({ trial, ...stage }) => {
      const given = trial.identity.headers["authorization"];
      const value = given?.split(" ").at(-1) ?? `proctor-token-${randomHex(8)}`;
      const headers = given === undefined ? { authorization: `Bearer ${value}` } : {};
      return stays({ trial, ...stage }, headers, value, "the client's token");
    },
  },
  {
    id: "gateway.header.required",
    section: "7.4",
    level: "must",
    when: "security schemes",
    title: "lets nobody through without the credentials that its card asks for",
    advice: "Check credentials before anything is forwarded, at every door.",
    async examine({ scene, ask }) {
      const played = scene();
      const attempt = await ask((service, call) => service.send({ message: played.message() }, call), {
        as: NOBODY,
      });
      const { transcript, error, value: got } = attempt;
      const isStopped = arrivedAt(played) === undefined;
      demand(isStopped, "a message without credentials reached the upstream", transcript);
      demand(error !== undefined, "a message without credentials was answered", transcript, { got });
    },
  },
  {
    id: "gateway.header.inside",
    level: "should",
    title: "shows clients no headers of the upstream's insides",
    advice: "Pass on only the headers that A2A knows; not `Set-Cookie`, `Server` or `X-…` of the upstream.",
    async examine({ scene, send }) {
      const { transcript } = await send(scene());
      const got = headersWith(INSIDE, transcript.answered ?? {});
      demand(got === "", "headers of the upstream reached the client", transcript, { got });
    },
  },
];

/** Demands that nothing that the upstream got holds the value that was sent in these headers. */
async function stays(
  { scene, send }: Stage,
  headers: Readonly<Record<string, string>>,
  value: string,
  what: string,
): Promise<void> {
  const played = scene();
  const attempt = await send(played, { headers });
  const { error, transcript } = attempt;
  const arrived = arrivedAt(played);
  const isTaken = arrived !== undefined || error === undefined;
  assume(isTaken, `the gateway refused a request with it: ${error?.message}`, transcript);
  const got = headersWith(value, arrival(arrived, attempt, "a message").call.headers);
  demand(got === "", `${what} reached the upstream`, transcript, { got });
}

/** Returns the names of the headers that hold a value. */
function headersWith(value: string, headers: Readonly<Record<string, string>>): string {
  const found = Object.entries(headers).filter(([, got]) => got.includes(value));
  return found.map(([name]) => name).join(", ");
}
