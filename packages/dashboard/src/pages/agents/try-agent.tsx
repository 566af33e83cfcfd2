// Tries an agent: a capability with a form made from its schema, or a task in words.
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { RegisteredAgent, Run } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { JsonField } from "../../components/json-field.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { SchemaField } from "../../components/schema-form.tsx";
import { startValue, type JsonSchema } from "../../components/schema-kind.ts";
import type { QueryState } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { TriedRun } from "./tried-run.tsx";

type Capability = NonNullable<RegisteredAgent["capabilities"]>[number];

export function TryAgent({ agent, query }: { agent: RegisteredAgent; query: QueryState }) {
  const capabilities = agent.capabilities ?? [];
  const chosen = capabilities.find(({ name }) => name === query.get("capability")) ?? capabilities[0];
  return (
    <div class="try-agent">
      {capabilities.length > 1 && (
        <nav class="filter-row" aria-label={texts.agents.columns.capabilities}>
          {capabilities.map(({ name }) => (
            <a
              key={name}
              class="chip"
              href={query.href({ capability: name })}
              aria-current={name === chosen?.name ? "true" : undefined}
            >
              {name}
            </a>
          ))}
        </nav>
      )}
      <TryForm key={chosen?.name ?? ""} agent={agent} capability={chosen} />
    </div>
  );
}

function TryForm({ agent, capability }: { agent: RegisteredAgent; capability: Capability | undefined }) {
  const schema: JsonSchema | undefined = capability?.parameters;
  const [description, setDescription] = useState(capability?.examples?.[0] ?? capability?.name ?? "");
  const [input, setInput] = useState<unknown>(() => (schema ? startValue(schema) : undefined));
  const [asJson, setAsJson] = useState(false);
  const [runs, setRuns] = useState<readonly Run[]>([]);

  async function start(): Promise<void> {
    const given = typeof input === "object" && input !== null && !Array.isArray(input);
    const run = await hub.submit({
      agent: agent.name,
      task: {
        description,
        ...(given && { input_data: input as Record<string, unknown> }),
      },
      ...(capability && schema && { options: { capability: capability.name } }),
    });
    setRuns((before) => [run, ...before]);
  }

  return (
    <>
      <form
        class="try-form stack"
        onSubmit={(event) => event.preventDefault()}
        aria-label={capability?.name ?? agent.name}
      >
        {capability?.description !== undefined && <p class="said quiet">{capability.description}</p>}
        <label class="field">
          <span>{texts.agents.task}</span>
          <textarea
            required
            dir="auto"
            value={description}
            onInput={({ currentTarget }) => setDescription(currentTarget.value)}
          />
        </label>
        {schema && !asJson && <SchemaField schema={schema} value={input} onChange={setInput} />}
        {(schema === undefined || asJson) && (
          <JsonField label={<span>{texts.agents.inputJson}</span>} value={input} onChange={setInput} />
        )}
        <div class="row-of-buttons">
          {schema && (
            <Button kind="plain" onPress={() => setAsJson(!asJson)}>
              {asJson ? texts.agents.asForm : texts.agents.asJson}
            </Button>
          )}
          <Button kind="main" disabled={description.trim() === ""} onPress={start}>
            {texts.agents.try}
          </Button>
        </div>
      </form>
      <div class="tried" aria-live="polite">
        {runs.map((run) => (
          <TriedRun key={run.id} first={run} />
        ))}
      </div>
      {capability && (schema !== undefined || capability.returns !== undefined) && (
        <details>
          <summary>{texts.agents.schemas}</summary>
          {schema !== undefined && (
            <>
              <h3>{texts.agents.parameters}</h3>
              <JsonView value={schema} />
            </>
          )}
          {capability.returns !== undefined && (
            <>
              <h3>{texts.agents.returns}</h3>
              <JsonView value={capability.returns} />
            </>
          )}
        </details>
      )}
    </>
  );
}
