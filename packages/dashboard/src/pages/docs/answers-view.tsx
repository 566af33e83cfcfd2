// What an operation may answer, with an example of each answer that is not a refusal.
import { texts } from "../../texts.ts";
import { CodeBlock } from "./code-block.tsx";
import { exampleOf } from "./example-value.ts";
import { Prose } from "./prose.tsx";
import type { Answer, Media, Schemas } from "./reference.ts";
import { SchemaView } from "./schema-view.tsx";

export function AnswersView({ answers, schemas }: { answers: readonly Answer[]; schemas: Schemas }) {
  return (
    <section>
      <h2>{texts.docs.answers}</h2>
      {answers.map((answer) => (
        <AnswerView key={answer.status} answer={answer} schemas={schemas} />
      ))}
    </section>
  );
}

function AnswerView({ answer, schemas }: { answer: Answer; schemas: Schemas }) {
  const { status, description, headers, media } = answer;
  const isGood = Number(status) < 400;
  const head = (
    <>
      <strong class={isGood ? "good-text" : "bad-text"}>{status}</strong>{" "}
      <span>
        <Prose text={description} />
      </span>
      {media.map(({ type }) => (
        <span key={type} class="tag">
          {type}
        </span>
      ))}
    </>
  );
  if (headers.length === 0 && media.length === 0) return <p class="answer answer-head">{head}</p>;
  return (
    <details class="answer" open={isGood}>
      <summary class="answer-head">{head}</summary>
      {headers.map(({ name, description: text }) => (
        <p key={name}>
          <code>{name}</code> <Prose text={text} />
        </p>
      ))}
      {media.map((one) => (
        <MediaView key={one.type} media={one} status={status} schemas={schemas} />
      ))}
    </details>
  );
}

function MediaView({ media, status, schemas }: { media: Media; status: string; schemas: Schemas }) {
  const { type, schema, frame } = media;
  if (frame !== undefined) {
    const data = JSON.stringify(exampleOf({ schema: frame, example: undefined }, schemas));
    return (
      <>
        <h3>{texts.docs.frames}</h3>
        <SchemaView schema={frame} schemas={schemas} />
        <h3>{texts.docs.exampleFrame}</h3>
        <CodeBlock label={texts.docs.exampleFrame} text={`id: 3\ndata: ${data}`} />
      </>
    );
  }
  if (!type.endsWith("json")) return null;
  return (
    <>
      <CodeBlock
        label={`${texts.docs.example}, ${status} ${type}`}
        text={JSON.stringify(exampleOf(media, schemas), null, 2)}
      />
      <SchemaView schema={schema} schemas={schemas} />
    </>
  );
}
