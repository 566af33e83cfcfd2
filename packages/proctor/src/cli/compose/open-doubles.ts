// The doubles of a hub in this process: their rows in the store. What was asked of them is kept without secrets, and not longer than a page shows.
import type { Double, NewDoubleRequest } from "../../core/double.ts";
import { ProctorError } from "../../core/errors.ts";
import { uuidV7 } from "../../core/id.ts";
import { isJsonObject, type Json } from "../../core/json.ts";
import { maskOptions } from "../../core/option-secrets.ts";
import type { Clock } from "../../core/ports/clock.ts";
import type { Doubles } from "../../core/ports/doubles.ts";
import type { Store } from "../../core/ports/store.ts";
import { shorten } from "../../core/shorten.ts";

const BEAT_MS = 2000;
/** Milliseconds of silence after which a double counts as gone. */
const ALIVE_MS = 8000;
/** Characters of a request or an answer, as JSON; a longer one is kept as the beginning of its text. */
const MAX_VALUE_CHARS = 8000;

export function openDoubles(store: Pick<Store, "doubles">, clock: Clock): Doubles {
  async function get(id: string): Promise<Double> {
    const found = await store.doubles.read(id, clock.now());
    if (found) return found;
    throw new ProctorError(
      "DOUBLE_NOT_FOUND",
      `there is no double ${id}\nit may have been gone for an hour`,
      {
        details: { double: id },
      },
    );
  }

  async function known(id: string, done: Promise<boolean>): Promise<Double> {
    await done;
    return get(id);
  }

  return {
    async announce(double) {
      const now = clock.now();
      const id = uuidV7(now);
      await store.doubles.add(id, double, now, now + ALIVE_MS);
      return { id, beat_ms: BEAT_MS };
    },
    record: (id, requests) =>
      known(id, store.doubles.record(id, requests.map(kept), clock.now(), clock.now() + ALIVE_MS)),
    end: (id) => known(id, store.doubles.end(id, clock.now())),
    list: async () => ({ items: await store.doubles.list(clock.now()), next_cursor: null }),
    get,
    async requests(id, query) {
      await get(id);
      return store.doubles.requests(id, query);
    },
  };
}

function kept(request: NewDoubleRequest): NewDoubleRequest {
  return { ...request, request: keptValue(request.request), answered: keptValue(request.answered) };
}

function keptValue(value: Json): Json {
  const masked = isJsonObject(value) ? maskOptions(value, "[redacted]") : value;
  const text = JSON.stringify(masked);
  return text.length <= MAX_VALUE_CHARS ? masked : shorten(text, MAX_VALUE_CHARS);
}
