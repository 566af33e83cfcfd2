// Tries an operation on this hub: a form made from its parameters and its body, and what was answered.
import { useState } from "preact/hooks";
import { refusal, token } from "../../api/token.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { TokenForm } from "../../components/login.tsx";
import { SchemaField } from "../../components/schema-form.tsx";
import { texts } from "../../texts.ts";
import { asksFirst } from "./asks-first.ts";
import { BodyFields } from "./body-fields.tsx";
import { CodeBlock } from "./code-block.tsx";
import { curlCommand } from "./curl-command.ts";
import { asked, keyOf, missing, toRequest, type Draft } from "./draft.ts";
import { firstDraft } from "./first-draft.ts";
import { formSchema } from "./form-schema.ts";
import type { Operation, Schemas } from "./reference.ts";
import { TriedAnswer } from "./tried-answer.tsx";
import { useAttempt } from "./use-attempt.ts";

const words = texts.docs.try;

export function TryOperation({ operation, schemas }: { operation: Operation; schemas: Schemas }) {
  const [draft, setDraft] = useState<Draft>(() => firstDraft(operation, schemas));
  const [isAsking, setAsking] = useState(false);
  const { tried, isLive, send, stop } = useAttempt();
  const lacking = missing(operation, draft);
  const change = (part: Partial<Draft>): void => setDraft((before) => ({ ...before, ...part }));
  const go = () => send(operation.method, toRequest(operation, draft));
  return (
    <section class="try stack" aria-label={words.title}>
      <h2>{words.title}</h2>
      <form class="stack" aria-label={words.title} onSubmit={(event) => event.preventDefault()}>
        {asked(operation).map((parameter) => (
          <SchemaField
            key={keyOf(parameter)}
            name={parameter.name}
            schema={{
              ...formSchema(parameter.schema, schemas),
              ...(parameter.description !== "" && { description: parameter.description }),
            }}
            required={parameter.required}
            value={draft.values[keyOf(parameter)]}
            onChange={(value) => change({ values: { ...draft.values, [keyOf(parameter)]: value } })}
          />
        ))}
        <BodyFields operation={operation} schemas={schemas} draft={draft} onChange={change} />
        {hasBoth(operation) && <AnswerAs stream={draft.stream} onChange={(stream) => change({ stream })} />}
        <TokenLine open={operation.scope === undefined} />
        <div class="row-of-buttons">
          {lacking.length > 0 && <span class="quiet">{words.missing(lacking.join(", "))}</span>}
          {isLive && <Button onPress={stop}>{words.stop}</Button>}
          <Button
            kind={asksFirst(operation) ? "danger" : "main"}
            disabled={lacking.length > 0}
            onPress={() => (asksFirst(operation) ? setAsking(true) : go())}
          >
            {words.send}
          </Button>
        </div>
      </form>
      <div aria-live="polite">{tried && <TriedAnswer tried={tried} operation={operation} />}</div>
      <h3>{texts.docs.curl}</h3>
      <CodeBlock label={texts.docs.curl} text={curlCommand(operation, draft)} />
      {isAsking && (
        <Dialog
          title={words.sure(`${operation.method} ${toRequest(operation, draft).path.slice(1)}`)}
          onClose={() => setAsking(false)}
        >
          <p>{words.sureText}</p>
          <div class="row-of-buttons">
            <Button onPress={() => setAsking(false)}>{texts.cancel}</Button>
            <Button
              kind="danger"
              onPress={async () => {
                setAsking(false);
                await go();
              }}
            >
              {words.send}
            </Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function AnswerAs({ stream, onChange }: { stream: boolean; onChange: (stream: boolean) => void }) {
  return (
    <label class="field">
      <span>{words.answerAs}</span>
      <select
        value={String(stream)}
        onChange={({ currentTarget }) => onChange(currentTarget.value === "true")}
      >
        <option value="false">{words.asDocument}</option>
        <option value="true">{words.asStream}</option>
      </select>
    </label>
  );
}

/** Says whether a token is sent, and takes one where the hub has refused. */
function TokenLine({ open }: { open: boolean }) {
  const [isAsking, setAsking] = useState(false);
  if (open) return null;
  const isRefused = refusal.value !== undefined;
  return (
    <div class={isRefused ? "notice warn head-line" : "head-line quiet"}>
      <span>{token.value === undefined ? words.noToken : words.token}</span>
      {isRefused && <span>{texts.login.title}.</span>}
      <Button kind={isRefused ? "main" : "plain"} onPress={() => setAsking(true)}>
        {words.giveToken}
      </Button>
      {isAsking && (
        <Dialog title={texts.login.token} onClose={() => setAsking(false)}>
          <TokenForm reason={refusal.value ?? ""} onDone={() => setAsking(false)} />
        </Dialog>
      )}
    </div>
  );
}

function hasBoth({ answers }: Operation): boolean {
  const types = answers.find(({ status }) => status === "200")?.media.map(({ type }) => type) ?? [];
  return types.includes("text/event-stream") && types.includes("application/json");
}
