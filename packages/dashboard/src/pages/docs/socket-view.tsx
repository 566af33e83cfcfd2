// A WebSocket: the messages that go each way, and how it is opened.
import { apiUrl } from "../../api/address.ts";
import { texts } from "../../texts.ts";
import { CodeBlock } from "./code-block.tsx";
import { fillPath } from "./draft.ts";
import { exampleOf } from "./example-value.ts";
import type { Operation, Schema, Schemas } from "./reference.ts";
import { SchemaView } from "./schema-view.tsx";

interface SocketViewProps {
  operation: Operation;
  socket: NonNullable<Operation["socket"]>;
  schemas: Schemas;
}

export function SocketView({ operation, socket, schemas }: SocketViewProps) {
  const { sends, hears } = socket;
  return (
    <>
      <Messages title={texts.docs.sends} schema={sends} schemas={schemas} />
      <Messages title={texts.docs.hears} schema={hears} schemas={schemas} />
      <section>
        <h2>{texts.docs.socket}</h2>
        <CodeBlock
          label={texts.docs.socket}
          text={script(operation, exampleOf({ schema: sends, example: undefined }, schemas))}
        />
      </section>
    </>
  );
}

function Messages({ title, schema, schemas }: { title: string; schema: Schema; schemas: Schemas }) {
  return (
    <section>
      <h2>{title}</h2>
      <SchemaView schema={schema} schemas={schemas} />
      <CodeBlock
        label={`${texts.docs.exampleMessage}: ${title}`}
        text={JSON.stringify(exampleOf({ schema, example: undefined }, schemas), null, 2)}
      />
    </section>
  );
}

/** Returns lines for a browser's console; names in capitals are to be filled in. */
function script({ path, parameters, description }: Operation, message: unknown): string {
  const url = apiUrl(fillPath(path, (name) => name.toUpperCase()));
  url.protocol = url.protocol.replace("http", "ws");
  for (const { name, in: place, required } of parameters) {
    if (place === "query" && (required || name === "access_token"))
      url.searchParams.set(name, name.toUpperCase());
  }
  const protocol = /Subprotocol `([\w.]+)`/i.exec(description)?.[1];
  return [
    `const socket = new WebSocket(${JSON.stringify(url.href)}${protocol === undefined ? "" : `, ${JSON.stringify(protocol)}`});`,
    "socket.onmessage = ({ data }) => console.log(JSON.parse(data));",
    `socket.onopen = () => socket.send(${JSON.stringify(JSON.stringify(message))});`,
  ].join("\n");
}
