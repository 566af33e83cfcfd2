// Rules about where messages come on each transport, and about what a transport has beside the messages.
import type { Exchange } from "../exchange.ts";
import { SUBPROTOCOL } from "../../websocket/subprotocol.ts";
import { fail, judge, pass, showValue, unevaluated } from "../../../../conformance/finding.ts";
import type { Check } from "../finding.ts";
import { describeSilence } from "../judgement.ts";
import type { Message } from "../transcript.ts";
import type { Trial } from "../trial.ts";

export const CHANNEL_CHECKS = {
  "atp.channel": async (trial) => {
    const basic = await trial.basic();
    if (basic.messages.length === 0) return unevaluated("it said nothing", basic);
    return judge(basic, basic.messages.map(placeProblem));
  },
  "atp.http.execute": async (trial) => {
    const exchange = await trial.send(trial.request(), { door: "execute" });
    const { httpStatus } = exchange.ended;
    if (exchange.response === undefined) return fail(describeSilence(exchange), exchange);
    return httpStatus === 200 ? pass(exchange) : fail(`HTTP ${httpStatus} for a valid request`, exchange);
  },
  "atp.http.stream": async (trial) => {
    const exchange = await trial.send(trial.request(), { door: "stream" });
    const { httpStatus, contentType = "", lingered } = exchange.ended;
    return judge(exchange, [
      exchange.response === undefined ? describeSilence(exchange) : undefined,
      httpStatus === 200 ? undefined : `HTTP ${httpStatus} for a valid request`,
      isEventStream(contentType) ? undefined : `the content type is ${showValue(contentType)}`,
      lingered ? "the stream stayed open after the response" : undefined,
    ]);
  },
  "atp.http.frames": async (trial) => {
    const exchange = await streamed(trial);
    const frames = exchange.messages.filter(({ channel, kind }) => channel === "frame" && kind !== "other");
    if (frames.length === 0) return unevaluated("it sent no frames", exchange);
    return judge(exchange, frames.map(frameProblem));
  },
  "atp.ws.subprotocol": async (trial) => {
    const basic = await trial.basic();
    const { subprotocol } = basic.ended;
    return subprotocol === SUBPROTOCOL ? pass(basic) : fail("it chose no subprotocol", basic);
  },
  "atp.grpc.execute": async (trial) => {
    const exchange = await trial.send(trial.request(), { door: "execute" });
    return exchange.response ? pass(exchange) : fail(describeSilence(exchange), exchange);
  },
  "atp.stdio.exit": async (trial) => {
    const basic = await trial.basic();
    const { exitCode, signal, lingered, leftover = 0 } = basic.ended;
    if (basic.response === undefined) {
      return unevaluated("it did not answer: see atp.response.given", basic);
    }
    return judge(basic, [
      lingered ? "it did not end after its response, and was ended" : undefined,
      signal != null ? `it was ended by ${signal}` : undefined,
      exitCode === 0 ? undefined : `its exit code is ${exitCode}`,
      leftover > 0 ? `it left ${leftover} processes behind` : undefined,
    ]);
  },
} satisfies Record<string, Check>;

/** Returns the problem of a message's place: logs may stand among the lines of a program, but a frame holds a message and nothing else. */
function placeProblem({ kind, channel, name, text }: Message, index: number): string | undefined {
  if (channel === "stdout" && kind === "event") return "an event came on stdout, it belongs on stderr";
  if (channel === "stderr" && kind === "response") return "a response came on stderr, it belongs on stdout";
  if (channel === "frame" && kind === "other") {
    return `frame ${index} is neither an event nor a response: ${showValue(text)}`;
  }
  if (channel === "frame" && (name === "event" || name === "response") && name !== kind) {
    return `a frame named ${name} holds a ${kind}`;
  }
  return undefined;
}

function frameProblem({ kind, name, id, json }: Message, index: number): string | undefined {
  if (name !== kind) {
    const called = name === undefined ? "has no name" : `is named ${showValue(name)}`;
    return `frame ${index} holds ${kind === "event" ? "an event" : "a response"} and ${called}`;
  }
  const sequence = json?.["sequence"];
  if (kind === "event" && id !== JSON.stringify(sequence)) {
    const has = id === undefined ? "has no id" : `has the id ${showValue(id)}`;
    return `frame ${index} ${has}, its event the sequence ${showValue(sequence)}`;
  }
  return undefined;
}

async function streamed(trial: Trial): Promise<Exchange> {
  const basic = await trial.basic();
  return isEventStream(basic.ended.contentType ?? "")
    ? basic
    : trial.send(trial.request(), { door: "stream" });
}

function isEventStream(contentType: string): boolean {
  return /^text\/event-stream\b/i.test(contentType);
}
