// Rules about an upstream in trouble: the client gets an error of the protocol, in time, that shows nothing of the upstream.
import type { Attempt } from "../../conform/caller.ts";
import { demand } from "../../conform/finding.ts";
import { TransportFailure } from "../../client/transport-failure.ts";
import type { SendResult } from "../../model.ts";
import type { GatewayRule } from "../gateway-rule.ts";
import type { Play } from "../scene.ts";
import { createStage, type Stage } from "../stage.ts";
import { INSIDE } from "../upstream.ts";

const TROUBLES = {
  cut: () => "cut",
  garbage: () =>
    new Response(`{"jsonrpc": "2.0", "result": {"task": ${INSIDE}`, {
      headers: { "content-type": "application/json" },
    }),
  page: () =>
    new Response(
      `<html><h1>502 Bad Gateway</h1><pre>Error: ${INSIDE}\n    at connect (/srv/agent/app.js:12:34)</pre></html>`,
      { status: 502, headers: { "content-type": "text/html" } },
    ),
} as const satisfies Record<string, NonNullable<Play["http"]>>;
type Trouble = keyof typeof TROUBLES | "down";

const ADVICE =
  "Answer with an error of the client's binding: -32603 or -32006 of JSON-RPC, 502 or 503 with a JSON error over HTTP+JSON.";

const WORDS: Record<Trouble, string> = {
  cut: "breaks off",
  garbage: "answers with garbage",
  page: "is behind a proxy that answers with a page",
  down: "is down",
};

export const TROUBLE_RULES: readonly GatewayRule[] = [
  troubleRule("cut"),
  troubleRule("garbage"),
  troubleRule("page"),
  { ...troubleRule("down"), alone: true },
  {
    id: "gateway.trouble.private",
    section: "13.4",
    level: "should",
    title: "shows nothing of the upstream in such errors: no address, trace or content",
    advice: "Write the cause into a log, and a sentence of your own into the error.",
    alone: true,
    async examine(stage) {
      for (const trouble of ["cut", "garbage", "page", "down"] as const) {
        const { transcript } = await meet(stage, trouble);
        const shown = `${transcript.received} ${JSON.stringify(transcript.answered ?? {})}`;
        const found = leakIn(shown, stage.upstream.host);
        const reason = `the error shows ${found}, when the upstream ${WORDS[trouble]}`;
        demand(found === undefined, reason, transcript, { got: transcript.received.slice(0, 400) });
      }
    },
  },
];

function troubleRule(trouble: Trouble): GatewayRule {
  return {
    id: `gateway.trouble.${trouble}`,
    section: "3.3.2",
    level: "must",
    title: `answers with an error of the protocol when the upstream ${WORDS[trouble]}`,
    advice: ADVICE,
    examine: async (stage) => demandProperError(await meet(stage, trouble)),
  };
}

/** Tries, once at each endpoint, what a client gets when the upstream is in trouble. */
function meet(stage: Stage, trouble: Trouble): Promise<Attempt<SendResult>> {
  const { trial, door, upstream, doors } = stage;
  if (trouble !== "down") {
    const http = TROUBLES[trouble];
    return trial.once(`${trouble} ${door.name}`, () => stage.send(stage.scene({ http })));
  }
  // The upstream is down once, for all endpoints.
  const all = trial.once("down", () =>
    upstream.whileDown(async () => {
      const attempts = new Map<string, Attempt<SendResult>>();
      for (const each of doors) {
        const there = createStage({ ...stage, door: each });
        attempts.set(each.name, await there.send(there.scene()));
      }
      return attempts;
    }),
  );
  return all.then((attempts) => {
    const attempt = attempts.get(door.name);
    if (attempt === undefined) throw new Error(`${door.name} is no door of the gateway`);
    return attempt;
  });
}

function demandProperError({ value, error, timedOut, transcript }: Attempt<SendResult>): void {
  const seen = { expected: "an error of the protocol", got: shownOf(transcript.status, transcript.received) };
  demand(!timedOut, "there was no answer within the time limit", transcript);
  demand(value === undefined, "the client got an answer", transcript, seen);
  const isSaid = !(error?.cause instanceof TransportFailure);
  demand(isSaid, `the client got no such error: ${error?.message}`, transcript, seen);
}

function shownOf(status: number | undefined, received: string): string {
  return status === undefined ? "no answer" : `${status} ${received.slice(0, 200)}`;
}

/** Returns the part of a text that shows internals of the upstream. */
function leakIn(text: string, host: string): string | undefined {
  if (text.includes(host)) return "the upstream's address";
  if (text.includes(INSIDE)) return "what the upstream sent";
  if (/(?:\\n|\n)\s+at .+:\d+:\d+/.test(text)) return "a stack trace";
  return undefined;
}
