// What a run answers, as text: the first text among the task's artifacts, or else the last thing that the agent said. Clients and suites
// know it as the artifact `result`, unless the agent sent data that is one.
import { textOf, type Message } from "../../../core/message.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import { MAX_ANSWER_CHARS, resultReport } from "../../spoken-answer.ts";
import type { A2aArtifact, A2aPart } from "../model.ts";
import { kindOf } from "./parts.ts";

export interface AnswerText {
  /** Begins an artifact, or begins it again. */
  begin(artifact: A2aArtifact): void;
  extend(artifactId: string, parts: readonly A2aPart[]): void;
  said(message: Message): void;
  /** Returns no report where there is no text, or where data of the agent is the answer. */
  report(): AgentReport[];
}

export function createAnswerText(): AnswerText {
  let artifact: { id: string; texts: string[]; chars: number } | undefined;
  let lastSaid = "";
  /** Names of the artifacts that are data, by their ids. */
  const data = new Map<string, string | undefined>();

  function add(parts: readonly A2aPart[]): void {
    for (const { text } of parts) {
      if (artifact === undefined || typeof text !== "string") continue;
      artifact.chars += text.length;
      if (artifact.chars <= MAX_ANSWER_CHARS) artifact.texts.push(text);
    }
  }

  return {
    begin({ artifactId: id, name, parts }) {
      if (parts.some((part) => kindOf(part) === "data")) data.set(id, name);
      if (artifact !== undefined && artifact.id !== id) return;
      if (artifact === undefined && !parts.some(({ text }) => typeof text === "string")) return;
      artifact = { id, texts: [], chars: 0 };
      add(parts);
    },
    extend(id, parts) {
      if (artifact?.id === id) add(parts);
    },
    said(message) {
      const texts = message.parts.filter(({ kind }) => kind === "text");
      if (texts.length > 0) lastSaid = textOf(texts);
    },
    report() {
      // core/answer.ts finds these without our help.
      if ([...data.values()].includes("result")) return [];
      if (artifact === undefined && data.size === 1) return [];
      const text = artifact === undefined ? lastSaid : artifact.texts.join("");
      return text === "" ? [] : [resultReport(text)];
    },
  };
}
