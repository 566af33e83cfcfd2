// Messages of the agent as reports, each once: they come in the status of a task, again in its history, and again after a connection broke.
import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../core/json.ts";
import { MAX_ID_CHARS, type Message, type Part } from "../../../core/message.ts";
import type { AgentReport } from "../../../core/ports/driver.ts";
import type { A2aMessage } from "../model.ts";
import type { AnswerText } from "./answer-text.ts";
import type { Heard } from "./heard.ts";
import { decodePart } from "./parts.ts";
import { ruleReport, unknownReport } from "./reports.ts";

export interface Messages {
  /** Returns nothing for a message that was reported before. */
  take(message: A2aMessage): AgentReport[];
  /** Remembers a message that is reported as something else: a question. Returns false when it was known before. */
  note(message: A2aMessage): boolean;
}

export function createMessages({ heard, answer }: { heard: Heard; answer: AnswerText }): Messages {
  function note(message: A2aMessage): boolean {
    const { messageId, parts } = message;
    // Without an id, a repeated message cannot be recognised.
    return messageId === "" || heard.addMessage({ messageId, parts });
  }

  return {
    note,
    take(sent) {
      const isNew = note(sent);
      const { message, files, others } = decodeMessage(sent);
      if (message.parts.length > 0) answer.said(message);
      if (!isNew) return [];
      const reports: AgentReport[] = [...others, ...files];
      if (message.parts.length > 0) reports.push({ kind: "message", message });
      return reports;
    },
  };
}

interface DecodedMessage {
  message: Message;
  /** Bytes that its parts hold. */
  files: AgentReport[];
  /** Problems of the message, and parts of unknown kinds. */
  others: AgentReport[];
}

export function decodeMessage(sent: A2aMessage): DecodedMessage {
  const { messageId, role, parts: sentParts, referenceTaskIds, extensions, metadata } = sent;
  const parts: Part[] = [];
  const files: AgentReport[] = [];
  const others: AgentReport[] = [];
  for (const [index, sentPart] of sentParts.entries()) {
    const { part, file } = decodePart(sentPart);
    if (part) parts.push(part);
    else {
      others.push(
        ruleReport("a2a.part", "a part of a kind that 1.0 does not have; it is kept", `parts[${index}]`),
      );
      others.push(unknownReport("part", sentPart));
    }
    if (file) files.push({ kind: "artifact", artifact: file });
  }
  if (role !== "ROLE_AGENT") {
    others.push(ruleReport("a2a.role", "a message of the agent does not say that it is the agent's", "role"));
  }
  const kept: JsonObject = {
    ...(extensions !== undefined && { extensions }),
    ...(metadata !== undefined && { metadata }),
  };
  const message: Message = {
    id: messageId === "" || messageId.length > MAX_ID_CHARS ? randomUUID() : messageId,
    role: "agent",
    parts,
    ...(referenceTaskIds !== undefined && referenceTaskIds.length > 0 && { references: referenceTaskIds }),
    ...(Object.keys(kept).length > 0 && { extensions: kept }),
  };
  return { message, files, others };
}
