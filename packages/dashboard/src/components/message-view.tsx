// One message, by the person or by the agent.
import type { ComponentChildren } from "preact";
import type { Message } from "../api/gen/schema.ts";
import { texts } from "../texts.ts";
import { bytes } from "./format.ts";
import { JsonView } from "./json-view.tsx";
import { Said } from "./said.tsx";

interface MessageViewProps {
  message: Message;
  agent: string;
  /** Buttons for what can be done with the message. */
  actions?: ComponentChildren;
}

export function MessageView({ message, agent, actions }: MessageViewProps) {
  return (
    <article class={`message ${message.role}`}>
      <h2>{message.role === "user" ? texts.run.you : agent}</h2>
      {message.parts.map((part, index) => {
        switch (part.kind) {
          case "text":
            return <Said key={index} text={part.text} />;
          case "data":
            return <JsonView key={index} value={part.data} />;
          case "url":
            // An address that an agent gave is shown, and never followed automatically.
            return (
              <p key={index}>
                <code>{part.url}</code>
              </p>
            );
          default:
            return (
              <p key={index} class="quiet">
                {part.name ?? part.content_hash} · {bytes(part.size_bytes)}
              </p>
            );
        }
      })}
      {actions !== undefined && actions !== false && <div class="message-actions">{actions}</div>}
    </article>
  );
}
