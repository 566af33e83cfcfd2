// What agents of A2A 1.0 answer: results, and frames of streams.
import { isJsonObject } from "../../../core/json.ts";
import type { ResultOperation } from "../codec.ts";
import { defaulted, inSection, list, required, text, wholeNumber } from "../readers.ts";
import type { Reader } from "../reading.ts";
import { card } from "./card.ts";
import { artifactUpdate, message, pushConfig, statusUpdate, task } from "./wire.ts";
import { object } from "./wire-parts.ts";

/** Reads an object with exactly one of these fields; `others` says what becomes of something that only a later version knows. */
function oneOf(fields: Parameters<typeof object>[0], section: string, others: "kept" | "refused"): Reader {
  const read = object(fields);
  const names = Object.keys(fields);
  return inSection(section, (value, reading) => {
    const before = reading.found;
    const result = read(value, reading);
    if (!isJsonObject(result)) return undefined;
    const present = names.filter((name) => result[name] !== undefined);
    if (present.length === 1) return result;
    const rule = `must have one of ${names.join(", ")}`;
    if (present.length > 1) {
      reading.wrong(`${rule}, and has ${present.join(" and ")}`);
      return result;
    }
    // One of them was there, and could not be used.
    if (reading.found > before) return undefined;
    reading.wrong(rule);
    return others === "kept" && Object.keys(result).length > 0 ? result : undefined;
  });
}

const sendResult = oneOf({ task, message }, "3.1.1", "refused");

export const frame = oneOf({ task, message, statusUpdate, artifactUpdate }, "3.2.3", "kept");

/** Reads a result without content: section 3.1.10. */
const nothing: Reader = () => ({});

export const results: Readonly<Record<ResultOperation, Reader>> = {
  card,
  extendedCard: card,
  send: sendResult,
  getTask: task,
  cancelTask: task,
  listTasks: object(
    {
      tasks: required(list(task), () => []),
      nextPageToken: required(text, () => ""),
      pageSize: required(wholeNumber(0), () => 0),
      totalSize: required(wholeNumber(0), () => 0),
    },
    "3.1.4",
  ),
  createPushConfig: pushConfig,
  getPushConfig: pushConfig,
  listPushConfigs: object({ configs: defaulted(list(pushConfig), () => []), nextPageToken: text }, "3.1.9"),
  deletePushConfig: nothing,
};
