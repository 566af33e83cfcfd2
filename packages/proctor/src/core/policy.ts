// What a run's options say about a question: it is put to people or clients, or it is answered at once.
import type { ConversationOptions, Policy, PolicyRule } from "./conversation-options.ts";
import { isJsonObject, type Json } from "./json.ts";
import { textOf, textPart } from "./message.ts";
import { effectOfSilence, type Answer, type Audience, type Question, type QuestionKind } from "./question.ts";

type Asked = Pick<Question, "kind" | "parts" | "subject" | "options">;

export type Decision =
  | { kind: "ask"; audience: Audience }
  | { kind: "answer"; answer: Pick<Answer, "outcome" | "option" | "parts" | "data"> }
  /** No one can be asked, and the run cannot go on. */
  | { kind: "fail" };

/** Decides what happens to a question. Without options no one can be asked: actions are denied, and a need for input fails the run. */
export function decide(question: Asked, options: ConversationOptions | undefined): Decision {
  if (options === undefined) {
    return effectOfSilence(question.kind) === "deny" ? answered(deny(question)) : { kind: "fail" };
  }
  return decideBy(question, policyFor(question, options));
}

export function policyFor(question: Asked, { rules = [], policy = {} }: ConversationOptions): Policy {
  return rules.find((rule) => fitsQuestion(rule, question))?.policy ?? policy[question.kind] ?? "ask";
}

function decideBy(question: Asked, policy: Policy): Decision {
  switch (policy) {
    case "ask":
      return { kind: "ask", audience: "client" };
    case "ask_human":
      return { kind: "ask", audience: "human" };
    case "simulate":
      return { kind: "ask", audience: "simulator" };
    case "allow":
      return answered(allow(question));
    case "deny":
      return answered(deny(question));
    default:
      return answered(given(question, policy.answer));
  }
}

function answered(answer: Extract<Decision, { kind: "answer" }>["answer"]): Decision {
  return { kind: "answer", answer };
}

function allow({ options = [] }: Asked) {
  const option = options.find(({ effect }) => effect === "allow") ?? options[0];
  return { outcome: "given" as const, ...(option && { option: option.id }) };
}

/** Closes a question that was not answered. The agent gets the answer of the options, or the run fails where there is none. */
export function closeUnanswered(
  question: Pick<Question, "id" | "kind" | "parts" | "options">,
  options: ConversationOptions | undefined,
): { effect: "answer" | "deny" | "fail"; answer?: Answer } {
  const policy = options?.silence?.[question.kind];
  const decision = policy && decideBy(question, policy);
  if (decision?.kind === "answer")
    return { effect: "answer", answer: expiredAnswer(question.id, decision.answer, "silence") };
  return { effect: effectOfSilence(question.kind) };
}

/** Returns the answer that the agent receives when its question has expired. */
export function expiredAnswer(
  id: string,
  said: Pick<Answer, "outcome" | "option" | "parts" | "data">,
  name?: string,
): Answer {
  return { id: `${EXPIRED}${id}`, by: { kind: "policy", ...(name !== undefined && { name }) }, ...said };
}

const EXPIRED = "expired:";

/** Returns whether a question went unanswered, with no policy that answered instead. */
export function isExpired({ id, by }: Pick<Answer, "id" | "by">): boolean {
  return by.kind === "policy" && by.name === undefined && id.startsWith(EXPIRED);
}

/** Returns an answer that refuses. */
export function deny({ options = [] }: Pick<Question, "options">) {
  const option = options.find(({ effect }) => effect === "deny");
  return { outcome: "declined" as const, ...(option && { option: option.id }) };
}

/** A text that names an option chooses it. */
function given({ options = [] }: Asked, answer: Json) {
  const option = options.find(({ id, name }) => answer === id || answer === name);
  if (option)
    return {
      outcome: option.effect === "deny" ? ("declined" as const) : ("given" as const),
      option: option.id,
    };
  if (typeof answer === "string") return { outcome: "given" as const, parts: [textPart(answer)] };
  return { outcome: "given" as const, data: answer };
}

/** Returns whether a rule fits a question. */
export function fitsQuestion(
  { kind, tool, path, text }: Pick<PolicyRule, "kind" | "tool" | "path" | "text">,
  question: Asked,
): boolean {
  return (
    (kind === undefined || kind === question.kind) &&
    (tool === undefined || namesOf(question, ["tool", "name"]).some((name) => matches(tool, name, false))) &&
    (path === undefined ||
      namesOf(question, ["path", "file", "cwd"]).some((name) => matches(path, name, true))) &&
    (text === undefined || textOf(question.parts).includes(text))
  );
}

/** Returns the texts under these names in the subject, and one level below it. */
function namesOf({ subject = {} }: Asked, keys: readonly string[]): string[] {
  const inner = Object.values(subject).filter(isJsonObject);
  return [subject, ...inner].flatMap((object) =>
    keys.map((key) => object[key]).filter((value) => typeof value === "string"),
  );
}

/** Characters of a name that are compared at most: agents choose it. */
const MAX_NAME_CHARS = 4096;

/** `*` stands for any characters; in a path not for `/`, which `**` does. Takes a time that grows with both lengths and no faster. */
function matches(pattern: string, name: string, isPath: boolean): boolean {
  // A path with `..` could be anywhere.
  if (name.length > MAX_NAME_CHARS || (isPath && name.split("/").includes(".."))) return false;
  const pieces = pattern.split(/(\*+)/).filter((piece) => piece !== "");
  /** Positions in the name where the pieces so far may end. */
  let ends = new Set([0]);
  for (const piece of pieces) {
    const next = new Set<number>();
    for (const end of ends) {
      if (!piece.startsWith("*")) {
        if (name.startsWith(piece, end)) next.add(end + piece.length);
        continue;
      }
      const stops = isPath && piece === "*" ? name.indexOf("/", end) : -1;
      for (let at = end; at <= (stops === -1 ? name.length : stops) && !next.has(at); at++) next.add(at);
    }
    ends = next;
  }
  return ends.has(name.length);
}

/** Options of a question in which an agent asks whether it may act and offers none itself. */
export const USUAL_OPTIONS = [
  { id: "allow", name: "Allow", effect: "allow" },
  { id: "deny", name: "Deny", effect: "deny" },
] as const satisfies Question["options"];

export function needsOption(kind: QuestionKind): boolean {
  return kind === "permission" || kind === "approval";
}
