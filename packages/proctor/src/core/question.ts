// An agent needs something and the run waits for it. It is answered once: the log decides which answer was first.
import type { Json, JsonObject } from "./json.ts";
import type { Part } from "./message.ts";

export const QUESTION_KINDS = ["input", "form", "permission", "approval", "auth"] as const;
export type QuestionKind = (typeof QUESTION_KINDS)[number];

export const AUDIENCES = ["client", "human", "simulator"] as const;
/** Who may answer: any client, only a person, or only the simulated user of the client that submitted the run. */
export type Audience = (typeof AUDIENCES)[number];

export interface QuestionOption extends JsonObject {
  id: string;
  name: string;
  effect: "allow" | "deny" | "other";
}

export interface Question extends JsonObject {
  id: string;
  kind: QuestionKind;
  parts: Part[];
  /** JSON Schema of the data that a form asks for. */
  schema?: JsonObject;
  options?: QuestionOption[];
  /** The exact action to approve: a tool call, a command, a plan. */
  subject?: JsonObject;
  /** sha256 of the subject's canonical JSON. An answer serves the same subject again after a retry. */
  subject_hash?: string;
  /** Whether the agent waits for the answer before it does anything. */
  blocking: boolean;
  audience: Audience;
  /** When the question expires, in ISO 8601. */
  expires_at: string;
  /** People who were notified by an envelope; absent while there are none. */
  notified?: string[];
}

export interface Answerer extends JsonObject {
  kind: "client" | "human" | "policy" | "simulator";
  name?: string;
}

export interface Answer extends JsonObject {
  id: string;
  by: Answerer;
  outcome: "given" | "declined";
  /** Id of the chosen option. */
  option?: string;
  parts?: Part[];
  data?: Json;
}

/** An answer as a client sends it. */
export interface NewAnswer {
  question_id: string;
  /** Id of the answer; a repeated id gets the reply of the first; a new one when absent. */
  id?: string;
  by?: Answerer;
  /** Outcome of the answer; `given` when absent. */
  outcome?: Answer["outcome"];
  /** Id or exact name of an option. */
  option?: string;
  parts?: Part[];
  data?: Json;
}

/** A question as an agent asks it; the engine fills in the rest. */
export interface NewQuestion extends Pick<
  Question,
  "id" | "kind" | "parts" | "schema" | "options" | "subject"
> {
  /** Whether the agent waits for the answer; true when absent. */
  blocking?: boolean;
  /** When the question expires, in ISO 8601; an hour from now when absent, 30 days from now at most. */
  expires_at?: string;
}

/** Most questions that the agent of a run may ask; a goal asks as many as its tasks need. */
export const MAX_QUESTIONS = 100;
export const DEFAULT_EXPIRY_SECONDS = 3600;
export const MAX_EXPIRY_SECONDS = 30 * 86_400;

/** Returns what happens to a question that is not answered: an action is denied, and a run cannot go on without its input. */
export function effectOfSilence(kind: QuestionKind): "deny" | "fail" {
  return kind === "permission" || kind === "approval" ? "deny" : "fail";
}
