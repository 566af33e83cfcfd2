// Whatever a peer may write fits into one line of 10 MB. Every decoder and pattern that sees such text must get through it: no
// overflow of a stack, and no more work than grows with the text.
import { describe, expect, it } from "vitest";
import { DEFAULT_MAX_LINE_BYTES } from "../src/channels/lines/split-lines.ts";
import { createSseParser } from "../src/channels/sse/parse-sse.ts";
import { findInexactNumbers } from "../src/core/json-numbers.ts";
import { parseJsonPath } from "../src/core/json-path.ts";
import { createRedactor } from "../src/core/redact.ts";
import { withoutTrailingSlashes } from "../src/protocols/trailing-slashes.ts";
import { contentHeaders } from "../src/protocols/agent-protocol/surfaces/shared/artifact-bytes.ts";
import { decodeArtifact } from "../src/protocols/atp/artifacts.ts";
import { handled } from "../src/protocols/atp/conform/judgement.ts";
import { encodeArtifact } from "../src/protocols/atp/encode-artifacts.ts";
import { isDateTime, isUri, isUuid } from "../src/protocols/atp/formats.ts";
import { parseMediaType } from "../src/protocols/atp/http/media.ts";
import { createAtpReader } from "../src/protocols/atp/reader.ts";
import { decodeRequest } from "../src/protocols/atp/request.ts";
import { joinLines } from "../src/conformance/conformance.ts";
import { decodeAnswer } from "../src/protocols/term/codec.ts";
import { firstObject } from "../src/protocols/term/first-object.ts";
import { costlyRounds } from "./support/property-runs.ts";
import { encodeKeys } from "../src/protocols/term/terminal/keys.ts";

const TASK = "550e8400-e29b-41d4-a716-446655440000";

/** Strings of about `chars` characters that have hurt patterns before: repetitions, and an end that fits nothing. */
const HOSTILE: Record<string, (chars: number) => string> = {
  letters: (chars) => "A".repeat(chars),
  "letters, then a blank": (chars) => `${"A".repeat(chars)} `,
  digits: (chars) => "1".repeat(chars),
  "numbers with points": (chars) => `1${".1".repeat(chars / 2)}`,
  "a number with points, then a letter": (chars) => `1${".1".repeat(chars / 2)}x`,
  blanks: (chars) => `x${" ".repeat(chars)}x`,
  "line feeds": (chars) => `x${"\n".repeat(chars)}x`,
  "line feeds and blanks": (chars) => `x${"\n ".repeat(chars / 2)}x`,
  slashes: (chars) => `http://h${"/".repeat(chars)} `,
  "a long path": (chars) => `http://h/${"a/".repeat(chars / 2)}`,
  "a long path with escapes": (chars) => `http://h/${"%20".repeat(chars / 3)}#`,
  "a long query": (chars) => `http://h/?${"a=b&".repeat(chars / 4)} `,
  "a long user": (chars) => `http://${"u:".repeat(chars / 2)}@h`,
  brackets: (chars) => "[a]".repeat(chars / 3),
  "open brackets": (chars) => "[".repeat(chars),
  modifiers: (chars) => `[${"ctrl-".repeat(chars / 5)}c]`,
  "tmux modifiers": (chars) => `${"C-".repeat(chars / 2)}x`,
  keys: (chars) => "C-c ".repeat(chars / 4),
  "a type with parameters": (chars) => `text/plain${"; a=b".repeat(chars / 5)};`,
  "a quoted parameter": (chars) => `text/plain; a="${"\\a".repeat(chars / 2)}`,
  plusses: (chars) => `a/${"+json".repeat(chars / 5)}x`,
  "padding after blanks": (chars) => `A${" ".repeat(chars / 2)}=${" ".repeat(chars / 2)}x`,
  "escaped quotes": (chars) => '\\"'.repeat(chars / 2),
  braces: (chars) => '{"a":'.repeat(chars / 5),
  "a quoted key": (chars) => `$['${"\\a".repeat(chars / 2)}`,
  "a stack trace": (chars) => `Error\n${" ".repeat(chars)}at x`,
};

/** What a pattern that repeats a group takes piece by piece, each with its place on the stack. */
const REPEATING = [
  "letters",
  "numbers with points",
  "a long path",
  "a long path with escapes",
  "brackets",
  "modifiers",
  "tmux modifiers",
  "a type with parameters",
  "a quoted parameter",
];

/** A response over stdio that crashed, as `proctor conform` sees it. */
const crashed = (text: string): Parameters<typeof handled>[0] => ({
  ended: {
    overtime: false,
    cancelled: false,
    lingered: false,
    unreachable: false,
    exitCode: 1,
    signal: null,
  },
  messages: [{ text, channel: "stderr", kind: "other", atMs: 0 }],
  events: [],
  sent: "",
  durationMs: 1,
  taskId: TASK,
  responses: [],
  response: undefined,
});

const event = (fields: object): string =>
  JSON.stringify({ event_type: "progress", task_id: TASK, ...fields });
const response = (fields: object): string =>
  JSON.stringify({
    version: "1.0",
    task_id: TASK,
    status: "completed",
    artifacts: [],
    metrics: {},
    ...fields,
  });
const read = (text: string): unknown => createAtpReader(TASK).read(text);
const redactor = createRedactor([{ name: "KEY", value: "sup/er+se\ncret 12345678901234567890" }]);
const tried = (action: () => unknown): void => {
  try {
    action();
  } catch (error) {
    if (error instanceof RangeError) throw error;
  }
};

const READERS: Record<string, (text: string) => unknown> = {
  "an artifact's content": (text) =>
    decodeArtifact({ type: "file", path: "a.png", content_type: "image/png", content: text }, 0),
  "an artifact's content without a type": (text) =>
    decodeArtifact({ type: "file", path: "a", content: text }, 0),
  "an artifact's content said to be base64": (text) =>
    decodeArtifact({ type: "file", path: "a", content: text, content_encoding: "base64" }, 0),
  "an artifact's type": (text) =>
    decodeArtifact({ type: "file", path: "a", content: "AAAA", content_type: text }, 0),
  "an artifact's path and name": (text) => [
    decodeArtifact({ type: "reference", path: text, content_hash: text }, 0),
    decodeArtifact({ type: "structured", name: text, data: { text } }, 0),
  ],
  "an artifact on its way to a client": (text) =>
    encodeArtifact({ id: "1", type: "file", path: "a" }, Buffer.from(text)),
  "an artifact's headers": (text) =>
    contentHeaders({ id: "1", type: "file", path: text.slice(0, 1000), content_type: text }),
  "a line that is no JSON": read,
  "a line that begins like JSON": (text) => read(`{"status":"${text}`),
  "the envelope of an event": (text) => [
    read(event({ version: text })),
    read(event({ timestamp: text })),
    read(event({ task_id: text })),
    read(event({ event_type: text, payload: { text } })),
  ],
  "the fields of a response": (text) => [
    read(response({ version: text })),
    read(response({ task_id: text, error: text, trace_id: text })),
    read(response({ status: text })),
  ],
  "a client's request": (text) => [
    decodeRequest({ version: text, task_id: TASK, task: { description: "x" } }),
    decodeRequest({ version: "1.0", task_id: text, task: { description: text } }),
    decodeRequest({
      version: "1.0",
      task_id: TASK,
      task: { description: "x" },
      context: { tools_endpoint: text },
    }),
  ],
  "formats: uri": isUri,
  "formats: uuid": isUuid,
  "formats: date-time": (text) => isDateTime(`2025-01-21T10:30:45.${text}`),
  "a media type": parseMediaType,
  "an address with slashes": withoutTrailingSlashes,
  "an event stream": (text) => createSseParser().push(Buffer.from(`retry: ${text}\nid: ${text}\n\n`)),
  "a terminal agent's answer": (text) => [
    decodeAnswer(text, true),
    decodeAnswer(JSON.stringify({ commands: [{ keystrokes: text }], text, plan: text }), true),
  ],
  "the first object of a line": firstObject,
  keystrokes: encodeKeys,
  "the words of a program under trial": (text) => handled(crashed(text)),
  "a reason in a report": joinLines,
  "what is searched for secrets": (text) => redactor.text(text),
  "a string of JSON that is searched for numbers": (text) => findInexactNumbers(JSON.stringify({ text })),
  "digits and numbers in JSON": ({ length }) =>
    findInexactNumbers(`[1e999,${"1".repeat(length)},${"1,".repeat(length / 2)}1]`),
  "a path into JSON": (text) => tried(() => parseJsonPath(text)),
};

/** Readers to which only the length of a text matters: one kind of it says as much as all. */
const BY_LENGTH = new Set(["digits and numbers in JSON"]);

const SMALL = 32 * 1024;
const GROWTH = 8;
/** Below this nobody could do harm, whatever the ratio is. */
const NOTHING_MS = 400;

function cpuMs(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe("text of a peer", () => {
  it.each(Object.keys(READERS))(
    "as %s costs what grows with it, up to 10 MB",
    { timeout: 600_000 },
    (name) => {
      const reader = READERS[name] ?? (() => undefined);
      const isAlike = BY_LENGTH.has(name);
      for (const [kind, write] of Object.entries(HOSTILE).slice(0, isAlike ? 1 : undefined)) {
        const small = write(SMALL);
        const large = write(SMALL * GROWTH);
        cpuMs(() => reader(small));
        const least = Math.max(
          cpuMs(() => reader(small)),
          NOTHING_MS / GROWTH,
        );
        const growth = cpuMs(() => reader(large)) / least;
        // Eight times the text costs eight times as much, or sixty-four times.
        expect({ kind, quadratic: growth > GROWTH * 3 }).toEqual({ kind, quadratic: false });
      }
      for (const [index, kind] of REPEATING.slice(0, isAlike ? 1 : undefined).entries()) {
        // A stack overflows far below 2 MB; the whole line is tried with a few, and with all where more runs are asked for.
        const chars = index < costlyRounds(REPEATING.length) ? DEFAULT_MAX_LINE_BYTES : 2_000_000;
        const text = HOSTILE[kind]?.(chars) ?? "";
        expect(() => reader(text), kind).not.toThrow();
      }
    },
  );
});
