// Rules about versions: of messages, and of media types over HTTP.
import type { Exchange } from "../exchange.ts";
import { ATP_JSON, PLAIN_JSON } from "../../http/media.ts";
import { fail, judge, pass, showValue, unevaluated } from "../../../../conformance/finding.ts";
import type { Check, AtpFinding } from "../finding.ts";
import { accepted, describeSilence, refused } from "../judgement.ts";
import type { Trial } from "../trial.ts";

const OTHER_MAJOR = "application/vnd.atp.v2+json";
/** Statuses of a server that does not read or write a media type. */
const REFUSALS: ReadonlySet<number | undefined> = new Set([400, 406, 415]);

export const VERSION_CHECKS = {
  "atp.version.minor": async (trial) => {
    const basic = await trial.basic();
    return accepted(await trial.send(trial.request({ top: { version: "1.9" } })), basic);
  },
  "atp.version.major": async (trial) => refused(await trial.send(trial.request({ top: { version: "2.0" } }))),
  "atp.media.atp": (trial) => takesType(trial, ATP_JSON),
  "atp.media.json": (trial) => takesType(trial, PLAIN_JSON),
  "atp.media.answer": async (trial) => {
    for (const type of [ATP_JSON, PLAIN_JSON]) {
      const exchange = await sendAs(trial, type, type);
      if (exchange.ended.httpStatus !== 200)
        return unevaluated("there is no /execute: see atp.http.execute", exchange);
      const answered = (exchange.ended.contentType ?? "").split(";")[0]?.trim().toLowerCase();
      if (answered !== type) return fail(`asked for ${type}, the answer is ${showValue(answered)}`, exchange);
    }
    return pass();
  },
  "atp.media.major": async (trial) => {
    const sent = await trial.send(trial.request(), { headers: { "content-type": OTHER_MAJOR } });
    const asked = await trial.send(trial.request(), { headers: { accept: OTHER_MAJOR } });
    const problem = ({ ended }: Exchange, header: string): string | undefined =>
      REFUSALS.has(ended.httpStatus)
        ? undefined
        : `${header}: ${OTHER_MAJOR} was answered with HTTP ${ended.httpStatus}`;
    const first = judge(sent, [problem(sent, "Content-Type")]);
    return first.outcome === "pass" ? judge(asked, [problem(asked, "Accept")]) : first;
  },
} satisfies Record<string, Check>;

/** Tries the type at whichever endpoint the agent has. */
async function takesType(trial: Trial, type: string): Promise<AtpFinding> {
  const basic = await trial.basic();
  const headers = { "content-type": type, accept: `${type}, text/event-stream` };
  const exchange = await trial.send(trial.request(), { headers });
  if (exchange.response !== undefined) return accepted(exchange, basic);
  const seen = describeSilence(exchange);
  // The agent answers the plainest request, which came as the other type.
  const other = type === PLAIN_JSON ? ATP_JSON : PLAIN_JSON;
  return fail(basic.response === undefined ? seen : `it takes ${other} only: ${seen}`, exchange);
}

function sendAs(trial: Trial, type: string, accept: string): Promise<Exchange> {
  return trial.send(trial.request(), { door: "execute", headers: { "content-type": type, accept } });
}
