// A recording in the place of the agent's server: each call gets the answer of the next recorded call of its kind. Calls that were made then
// and are not made now, such as a look at a task that somebody took up again, are passed over.
import { failure } from "../../../core/failure.ts";
import type { Json } from "../../../core/json.ts";
import type { RecordedMessage } from "../../../core/recording.ts";
import { whenAborted } from "../../../core/when-aborted.ts";
import { parseAny } from "../../http-refusal.ts";
import type { Script } from "../../recorded-script.ts";
import { readEach, type JsonFrame } from "../client/read-frames.ts";
import { transportError, unusable } from "../client/transport-failure.ts";
import type { Wire } from "../client/wire-service.ts";
import type { A2aError } from "../errors.ts";
import { readError } from "./recorded-error.ts";

export interface RecordedWire extends Wire {
  /** Resolves with the first message on a channel that belongs to no call; undefined where there is none before the first call. */
  before(channel: string): Promise<RecordedMessage | undefined>;
  /** Resolves while no call is made: the next entry of the recording may be that the run was stopped. */
  idle(): Promise<void>;
}

interface RecordedCall {
  operation: string;
  answers: RecordedMessage[];
}

export function createRecordedWire(script: Script): RecordedWire {
  const calls = new Map<number, RecordedCall>();
  const others: RecordedMessage[] = [];
  let claimed = 0;
  let highest = 0;
  /** Number of calls in earlier sessions: each session of a run numbers its calls from the start. */
  let base = 0;
  let pulling: Promise<boolean> = Promise.resolve(true);

  async function pullOne(): Promise<boolean> {
    const entry = await script.next();
    if (entry === undefined) return false;
    const [, number, operation] = /^(\d{1,9}):(\w+)$/.exec(entry.name ?? "") ?? [];
    if (number === undefined || operation === undefined) {
      base = highest;
      others.push(entry);
      return true;
    }
    const at = base + Number(number);
    highest = Math.max(highest, at);
    const call = calls.get(at) ?? { operation, answers: [] };
    call.answers.push(entry);
    calls.set(at, call);
    return true;
  }

  /** Reads one entry after the other: a recording has one order. */
  function pull(): Promise<boolean> {
    return (pulling = pulling.then(pullOne));
  }

  /** Answers of a later call belong to something later. */
  async function claim(operation: string): Promise<RecordedCall> {
    for (;;) {
      const found = [...calls].find(([number, call]) => number > claimed && call.operation === operation);
      if (found) {
        [claimed] = found;
        return found[1];
      }
      if (!(await pull())) throw over();
    }
  }

  async function next({ answers }: RecordedCall): Promise<RecordedMessage> {
    for (;;) {
      const answer = answers.shift();
      if (answer) return answer;
      if (!(await pull())) throw over();
    }
  }

  function over(): A2aError {
    script.unfinished = true;
    return transportError(failure("CONNECTION_LOST", "the recording is over"));
  }

  async function* framesOf(call: RecordedCall, signal: AbortSignal): AsyncGenerator<JsonFrame> {
    for (;;) {
      const { channel, text, id } = await next(call);
      if (channel === "error") throw readError(parse(text));
      if (channel === "end") return;
      // The stream went on without a listener.
      if (channel === "left") return await whenAborted(signal);
      yield { data: parse(text), ...(id !== undefined && { id }) };
    }
  }

  return {
    async ask(operation) {
      const { channel, text } = await next(await claim(operation));
      if (channel === "error") throw readError(parse(text));
      return parse(text);
    },
    async open(operation, _params, { signal }, read) {
      const call = await claim(operation);
      const { channel, text } = await next(call);
      if (channel === "error") throw readError(parse(text));
      return readEach(framesOf(call, signal), read);
    },
    async before(channel) {
      while (calls.size === 0) {
        const found = others.find((entry) => entry.channel === channel);
        if (found || !(await pull())) return found;
      }
      return others.find((entry) => entry.channel === channel);
    },
    async idle() {
      await pulling;
      await script.peek();
    },
  };
}

/** Throws an A2aError for text that was edited into the recording. */
function parse(text: string): Json {
  const value = parseAny(text);
  if (value === undefined) throw unusable("the recording has a message that is no JSON");
  return value;
}
