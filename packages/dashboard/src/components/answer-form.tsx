// A question that a person has to answer, with the means to do so: options for decisions, fields for forms, text for everything else.
import { useState } from "preact/hooks";
import { hub } from "../api/hub.ts";
import type { NewAnswer, Question } from "../api/gen/schema.ts";
import { reloadWaiting } from "../state/waiting.ts";
import { texts } from "../texts.ts";
import { Button } from "./button.tsx";
import { partsText } from "./describe-event.ts";
import { JsonField } from "./json-field.tsx";
import { JsonView } from "./json-view.tsx";
import { Said } from "./said.tsx";
import { SchemaField } from "./schema-form.tsx";
import { startValue } from "./schema-kind.ts";
import { Time } from "./time.tsx";

interface AnswerFormProps {
  runId: string;
  question: Question;
  onAnswered?: () => void;
}

export function AnswerForm({ runId, question, onAnswered }: AnswerFormProps) {
  const [text, setText] = useState("");
  const options = question.options ?? [];
  const decides = question.kind === "permission" || question.kind === "approval";
  const schema = question.kind === "form" ? question.schema : undefined;
  const [data, setData] = useState<unknown>(() => schema && startValue(schema));

  async function answer(given: Omit<NewAnswer, "question_id">): Promise<void> {
    await hub.answer(runId, { question_id: question.id, ...given });
    reloadWaiting();
    onAnswered?.();
  }
  const isForm = question.kind === "form";
  const give = () => answer(isForm ? { data } : { text });
  const isEmpty = isForm ? data === undefined : text.trim() === "";

  return (
    <div class="question" data-question={question.id}>
      <Said text={partsText(question)} />
      {question.subject !== undefined && (
        <div class="question-subject">
          <h3>{texts.question.subject}</h3>
          <JsonView value={question.subject} />
        </div>
      )}
      {schema !== undefined && <SchemaField schema={schema} value={data} onChange={setData} required />}
      {isForm && schema === undefined && (
        <JsonField label={<span>{texts.question.data}</span>} value={data} onChange={setData} />
      )}
      {!decides && !isForm && (
        <label class="field">
          <span>{texts.question.text}</span>
          {question.kind === "auth" ? (
            <input
              type="password"
              autocomplete="off"
              value={text}
              onInput={({ currentTarget }) => setText(currentTarget.value)}
            />
          ) : (
            <textarea value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
          )}
        </label>
      )}
      <div class="question-foot">
        <span class="quiet">
          {texts.question.kinds[question.kind]} · {texts.question.expires} <Time at={question.expires_at} />
        </span>
        {options.map((option) => (
          <Button
            key={option.id}
            {...(option.effect === "allow" && { kind: "main" as const })}
            {...(option.effect === "deny" && { kind: "danger" as const })}
            onPress={() =>
              answer({ option: option.id, ...(option.effect === "deny" && { outcome: "declined" as const }) })
            }
          >
            {option.name}
          </Button>
        ))}
        {!decides && (
          <>
            <Button onPress={() => answer({ outcome: "declined" })}>{texts.question.decline}</Button>
            <Button kind="main" disabled={isEmpty} onPress={give}>
              {texts.question.answer}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}
