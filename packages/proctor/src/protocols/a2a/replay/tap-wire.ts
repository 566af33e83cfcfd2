// Notes what is asked of an agent and what it answers, in the JSON of the version and binding that are spoken: for recordings. Playing them
// is recorded-wire.ts.
import type { Json } from "../../../core/json.ts";
import type { WireTap } from "../../wire-tap.ts";
import { readEach, type JsonFrame } from "../client/read-frames.ts";
import type { Wire } from "../client/wire-service.ts";
import { A2aError } from "../errors.ts";
import { writeError } from "./recorded-error.ts";

/** Calls are numbered from 1: `name` of a message is `<number>:<operation>`. */
export function tapWire(wire: Wire, tap: WireTap): Wire {
  let calls = 0;

  function begin(operation: string, params: Json = {}): string {
    const name = `${++calls}:${operation}`;
    tap.sent("request", JSON.stringify(params), { name });
    return name;
  }

  /** Notes an error and throws it again. */
  function failed(name: string, error: unknown): never {
    if (error instanceof A2aError) tap.received("error", JSON.stringify(writeError(error)), { name });
    throw error;
  }

  async function* noting(name: string, frames: AsyncIterable<JsonFrame>): AsyncGenerator<JsonFrame> {
    let end = "left";
    try {
      for await (const frame of frames) {
        const { data, id } = frame;
        tap.received("frame", JSON.stringify(data), { name, ...(id !== undefined && { id }) });
        yield frame;
      }
      end = "end";
    } catch (error) {
      end = "";
      failed(name, error);
    } finally {
      if (end !== "") tap.received(end, "", { name });
    }
  }

  return {
    async ask(operation, params, call) {
      const name = begin(operation, params);
      try {
        const result = await wire.ask(operation, params, call);
        tap.received("result", JSON.stringify(result), { name });
        return result;
      } catch (error) {
        return failed(name, error);
      }
    },
    async open(operation, params, call, read) {
      const name = begin(operation, params);
      try {
        const frames = await wire.open(operation, params, call, (frame) => frame);
        tap.received("opened", "", { name });
        return readEach(noting(name, frames), read);
      } catch (error) {
        return failed(name, error);
      }
    },
  };
}
