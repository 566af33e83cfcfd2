// Decides whether an answer of the script applies to a request, and says why when it does not.
import { canonicalJson } from "../../core/canonical-json.ts";
import { findByPath, parseJsonPath } from "../../core/json-path.ts";
import type { Json } from "../../core/json.ts";
import type { LlmCondition } from "../../core/llm-script.ts";
import { compilePattern } from "../tools/guarded-pattern.ts";
import { matchGlob } from "./match-glob.ts";
import type { ChatMessage, ChatRequest } from "./read-chat.ts";

export interface Condition {
  /** Says whether the condition holds. Throws where a regular expression takes too long. */
  holds(request: ChatRequest): boolean;
  /** Returns words for people: what the request has, and what it should have. `quote` shortens texts of the request. */
  why(request: ChatRequest, quote: (text: string) => string): string;
}

export function compileConditions(when: LlmCondition = {}): Condition[] {
  const { contains, regex, role, turn, model, json_path: path } = when;
  return [
    ...(turn === undefined ? [] : [onTurn(turn)]),
    ...(model === undefined ? [] : [onModel(model)]),
    ...(role !== undefined && contains === undefined && regex === undefined ? [onRole(role)] : []),
    ...(contains === undefined
      ? []
      : [onText(role, (text) => text.includes(contains), `does not contain ${JSON.stringify(contains)}`)]),
    ...(regex === undefined ? [] : [onText(role, compilePattern(regex), `does not match /${regex}/`)]),
    ...(path === undefined ? [] : [onPath(typeof path === "string" ? { path } : path)]),
  ];
}

function onTurn(turn: number): Condition {
  return {
    holds: (request) => request.turn === turn,
    why: (request) => `it is turn ${request.turn}, not ${turn}`,
  };
}

function onModel(model: string): Condition {
  return {
    holds: (request) => matchGlob(model, request.model),
    why: (request, quote) => `the model is ${quote(request.model)}, not ${JSON.stringify(model)}`,
  };
}

function onRole(role: string): Condition {
  return {
    holds: ({ messages }) => messages.at(-1)?.role === role,
    why: ({ messages }) => `the last message is from ${messages.at(-1)?.role}, not from ${role}`,
  };
}

function onText(role: string | undefined, test: (text: string) => boolean, failed: string): Condition {
  const find = ({ messages }: ChatRequest): ChatMessage | undefined =>
    role === undefined ? messages.at(-1) : messages.findLast((message) => message.role === role);
  const name = role === undefined ? "message" : `message from ${role}`;
  return {
    holds(request) {
      const message = find(request);
      return message !== undefined && test(message.text);
    },
    why(request, quote) {
      const message = find(request);
      return message === undefined
        ? `there is no ${name}`
        : `the last ${name}, ${quote(message.text)}, ${failed}`;
    },
  };
}

function onPath(wanted: { path: string; equals?: Json; contains?: string }): Condition {
  const path = parseJsonPath(wanted.path);
  const equal = wanted.equals === undefined ? undefined : canonicalJson(wanted.equals);
  const { contains } = wanted;
  const isWanted = (node: Json): boolean =>
    (equal === undefined || canonicalJson(node) === equal) &&
    (contains === undefined || (typeof node === "string" ? node : JSON.stringify(node)).includes(contains));
  return {
    holds: ({ body }) => findByPath(body, path).some(isWanted),
    why({ body }) {
      if (findByPath(body, path).length === 0) return `${wanted.path} leads to nothing in the request`;
      const parts = [
        ...(equal === undefined ? [] : [`equals ${equal}`]),
        ...(contains === undefined ? [] : [`contains ${JSON.stringify(contains)}`]),
      ];
      return `nothing at ${wanted.path} ${parts.join(" and ")}`;
    },
  };
}
