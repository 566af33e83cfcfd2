// What agents of A2A 1.0 answer: results, and frames of streams.
import { isJsonObject } from "../../../core/json.ts";
import type { ResultOperation } from "../codec.ts";
import { filledText, list, required, text, textOrNothing, wholeNumber } from "../readers.ts";
import type { Reader } from "../reading.ts";
import { card } from "./card.ts";
import { artifactUpdate, authentication, message, statusUpdate, task } from "./wire.ts";
import { object } from "./wire-parts.ts";

const KINDS = ["task", "message", "statusUpdate", "artifactUpdate"] as const;

/** Exactly one of its fields; `orElse` says whether something of a later version may stand there. */
function oneOf(fields: Parameters<typeof object>[0], section: string, orElse: "kept" | "refused"): Reader {
  const read = object(fields, section);
  const names = Object.keys(fields);
  return (value, reading) => {
    const before = reading.found;
    const result = read(value, reading);
    if (!isJsonObject(result)) return undefined;
    const present = names.filter((name) => result[name] !== undefined);
    if (present.length === 1) return result;
    reading.section = section;
    if (present.length > 1)
      reading.wrong(`must have one of ${names.join(", ")}, and has ${present.join(" and ")}`);
    else if (reading.found === before) reading.wrong(`must have one of ${names.join(", ")}`);
    return present.length > 0 || (orElse === "kept" && reading.found - before === 1 && isOther(result))
      ? result
      : undefined;
  };
}

function isOther(value: object): boolean {
  return Object.keys(value).length > 0;
}

const sendResult = oneOf({ task, message }, "3.1.1", "refused");

export const frame = oneOf(
  { task, message, statusUpdate, artifactUpdate } satisfies Record<(typeof KINDS)[number], Reader>,
  "3.2.3",
  "kept",
);

const pushConfig = object(
  {
    tenant: textOrNothing,
    id: textOrNothing,
    taskId: textOrNothing,
    url: required(filledText),
    token: textOrNothing,
    authentication,
  },
  "4.3.1",
);

/** The result says nothing: section 3.1.10. */
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
  listPushConfigs: object({ configs: required(list(pushConfig), () => []), nextPageToken: text }, "3.1.9"),
  deletePushConfig: nothing,
};
