// One operation: what it does and needs, what it takes, what it answers, and a place to try it.
import { Button } from "../../components/button.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { texts } from "../../texts.ts";
import { AnswersView } from "./answers-view.tsx";
import { MethodMark } from "./method-mark.tsx";
import type { Operation, Schemas } from "./reference.ts";
import { Field, SchemaView } from "./schema-view.tsx";
import { SocketView } from "./socket-view.tsx";
import { TryOperation } from "./try-operation.tsx";

export function OperationView({ operation, schemas }: { operation: Operation; schemas: Schemas }) {
  const { method, path, summary, description, parameters, body, answers, scope, unbound, socket } = operation;
  return (
    <article class="operation stack" aria-labelledby="operation">
      <header>
        <h1 id="operation">{summary}</h1>
        <p class="operation-line">
          <MethodMark method={socket ? "WS" : method} /> <code>{path}</code>
        </p>
        <p class="head-line quiet">
          {scope === undefined ? (
            texts.docs.needsNoToken
          ) : (
            <span>
              {texts.docs.scope} <code>{scope}</code>
            </span>
          )}
          {unbound && <span>{texts.docs.unbound}</span>}
          <code>{operation.id}</code>
        </p>
        {!socket && (
          <div class="jump">
            <Button onPress={() => document.querySelector(".try")?.scrollIntoView()}>
              {texts.docs.try.title}
            </Button>
          </div>
        )}
      </header>
      {description !== "" && <Markdown text={description} />}
      <div class="operation-columns">
        <div class="stack">
          {parameters.length > 0 && (
            <section>
              <h2>{texts.docs.parameters}</h2>
              <ul class="schema-fields">
                {parameters.map((parameter) => (
                  <li key={`${parameter.in} ${parameter.name}`}>
                    <Field {...parameter} note={texts.docs.in(parameter.in)} schemas={schemas} />
                  </li>
                ))}
              </ul>
            </section>
          )}
          {body && (
            <section>
              <h2>
                {texts.docs.body} <span class="tag">{body.media.type}</span>{" "}
                {!body.required && <span class="tag">{texts.docs.optional}</span>}
              </h2>
              <SchemaView schema={body.media.schema} schemas={schemas} />
            </section>
          )}
          {socket && <SocketView operation={operation} socket={socket} schemas={schemas} />}
          <AnswersView answers={answers} schemas={schemas} />
        </div>
        {!socket && <TryOperation key={operation.id} operation={operation} schemas={schemas} />}
      </div>
    </article>
  );
}
