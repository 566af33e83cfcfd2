// What stands between `${` and `}` in a text of a plan: a reference, or the reason why it is not one.
import { parseJsonPath, type JsonPath } from "../../core/json-path.ts";
import { TASK_ID } from "../../core/plan.ts";
import { quote } from "../../core/printable.ts";
import { didYouMean } from "../../core/suggest.ts";

/** `text` is the reference as it was written. */
export type ParsedReference = { text: string } & (
  | { kind: "task"; task: string; path: JsonPath }
  | { kind: "params" | "item"; path: JsonPath }
  | { kind: "index" | "goal" }
  /** A text that looks like a reference and is not one. */
  | { kind: "none"; reason: string }
);

const HEADS = ["tasks", "params", "item", "index", "goal"] as const;
/** Characters of a reference that messages show. */
const SHOWN_CHARS = 100;

export function parseReference(body: string): ParsedReference {
  const text = `\${${body.length > SHOWN_CHARS ? `${body.slice(0, SHOWN_CHARS)}…` : body}}`;
  const none = (reason: string): ParsedReference => ({ kind: "none", text, reason });
  const path = readPath(body.trim());
  if (path === undefined) return none("it cannot be read; write $${ for the text ${ itself");
  const [head, ...rest] = path;
  const name = keyOf(head);
  switch (name) {
    case "tasks":
      return taskReference(text, rest);
    case "params":
    case "item":
      return { kind: name, text, path: rest };
    case "index":
    case "goal":
      return rest.length === 0 ? { kind: name, text } : none(`"${name}" has no parts`);
    default: {
      const next = didYouMean(name ?? "", HEADS, "write $${ for the text ${ itself");
      return none(`${quote(name ?? "")} is none of ${HEADS.join(", ")}; ${next}`);
    }
  }
}

function taskReference(text: string, [id, output, ...path]: JsonPath): ParsedReference {
  const task = keyOf(id);
  if (task === undefined) return { kind: "none", text, reason: "write ${tasks.<id>.output}" };
  if (!TASK_ID.test(task)) return { kind: "none", text, reason: `${quote(task)} cannot be the id of a task` };
  if (keyOf(output) === "output") return { kind: "task", text, task, path };
  return { kind: "none", text, reason: `of a task there is only its output: write \${tasks.${task}.output}` };
}

/** Reads a path of single keys and positions, without wildcards. */
function readPath(body: string): JsonPath | undefined {
  try {
    const path = parseJsonPath(`$.${body}`);
    return path.every(({ kind, deep }) => kind !== "all" && !deep) ? path : undefined;
  } catch {
    return undefined;
  }
}

function keyOf(segment: JsonPath[number] | undefined): string | undefined {
  return segment?.kind === "key" ? segment.key : undefined;
}
