// An agent that does what the instruction names. cases.py and sdk/rust/examples/cases.rs do the same.
import {
  Agent,
  type CallOptions,
  type Json,
  type JsonObject,
  LLM,
  LLMError,
  type LLMResponse,
  type Message,
  type Request,
  Response,
  run,
  Tool,
} from "../../typescript/term/src/index.ts";

/** A call of the model as the cases write it. It is not checked, because a wrong case fails anyway. */
interface Call {
  op: string;
  prompt: string;
  messages: Message[];
  model?: string;
  system?: string;
  temperature?: number;
  max_tokens?: number;
  max_rounds?: number;
  stop_after?: number;
  tools?: { name: string; description?: string; parameters?: JsonObject }[];
}

class Cases extends Agent {
  #llm = openLLM();

  override setup(): void {
    enter("setup");
  }

  override async solve(req: Request): Promise<Response> {
    const { extra } = req;
    switch (req.instruction) {
      case "show":
        return Response.say("shown").withData(fieldsOf(req));
      case "has":
        return Response.say("has").withData(req.has(...(extra["patterns"] as string[])));
      case "match": {
        const found = req.match(extra["pattern"] as string);
        return Response.say("match").withData(
          found && [...found].map((group: string | undefined) => group ?? null),
        );
      }
      case "answer":
        return Response.fromLLM(extra["text"] as string);
      case "cmd": {
        const response = Response.cmd(extra["command"] as string);
        if (extra["text"] !== undefined) response.withText(extra["text"] as string);
        if (extra["data"] !== undefined) response.withData(extra["data"]);
        return extra["complete"] === true ? response.complete() : response;
      }
      case "done":
        return Response.done();
      case "llm":
        return Response.say("llm").withData(await this.#tryCall(extra["call"] as unknown as Call));
      default:
        throw new Error(`told to ${req.instruction}`);
    }
  }

  override cleanup(): void {
    enter("cleanup");
  }

  async #tryCall(call: Call): Promise<Json> {
    try {
      return await this.#call(call);
    } catch (error) {
      if (!(error instanceof LLMError)) throw error;
      const { status, partial, retryAfterSeconds: retry_after_seconds, model, provider } = error.details;
      const details = { status, partial, retry_after_seconds, model, provider };
      return plain({ error: error.code, message: error.message, ...details });
    }
  }

  async #call(call: Call): Promise<Json> {
    const { op, prompt, messages, model, system, temperature, max_tokens: maxTokens } = call;
    const tools = (call.tools ?? []).map((tool) => new Tool(tool.name, tool.description, tool.parameters));
    const options: CallOptions = {
      tools,
      ...(model === undefined ? {} : { model }),
      ...(system === undefined ? {} : { system }),
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { maxTokens }),
    };
    if (op === "new") this.#llm = openLLM();
    if (op === "new") return null;
    if (op === "totals") {
      return { total_tokens: this.#llm.totalTokens, total_cost: this.#llm.totalCost };
    }
    if (op === "stats") return snake(model === undefined ? this.#llm.getStats() : this.#llm.getStats(model));
    if (op === "ask") return shown(await this.#llm.ask(prompt, options));
    if (op === "chat") return shown(await this.#llm.chat(messages, options));
    if (op === "functions") {
      const maxRounds = call.max_rounds ?? 10;
      return shown(await this.#llm.chatWithFunctions(messages, tools, { ...options, maxRounds }));
    }
    const chunks: string[] = [];
    if (op === "stream") {
      for await (const text of this.#llm.stream(prompt, options)) chunks.push(text);
      return { chunks };
    }
    const onChunk = (text: string): boolean => chunks.push(text) !== call.stop_after;
    const response = await this.#llm.askStream(prompt, { ...options, onChunk });
    return { ...shown(response), chunks };
  }
}

function openLLM(): LLM {
  const llm = new LLM({
    timeoutMs: Number(process.env["CASES_TIMEOUT_MS"] ?? 10_000),
    retries: Number(process.env["CASES_RETRIES"] ?? 3),
  });
  llm.registerFunction("add", ({ a, b }) => Number(a) + Number(b));
  llm.registerFunction("echo", ({ text }) => text);
  llm.registerFunction("broken", () => {
    throw new Error("out of order");
  });
  return llm;
}

function fieldsOf(req: Request): JsonObject {
  const { instruction, step, lastCommand, output, exitCode, cwd, first, ok, failed, extra } = req;
  const last = { last_command: lastCommand, output, exit_code: exitCode };
  return { instruction, step, ...last, cwd, first, ok, failed, extra };
}

function shown(response: LLMResponse): JsonObject {
  const { text, model, inputTokens, outputTokens, tokens, cost, finishReason, functionCalls, messages } =
    response;
  return {
    text,
    model,
    tokens: [inputTokens, outputTokens, tokens],
    cost,
    finish_reason: finishReason,
    calls: functionCalls.map((call) => [call.name, call.arguments, call.id]),
    messages,
  };
}

const plain = (value: object): Json => JSON.parse(JSON.stringify(value)) as Json;

/** Converts names to snake case, as the other languages have them, except those of models. */
function snake(value: object): Json {
  const text = JSON.stringify(value).replaceAll(
    /"([a-z]+)([A-Z])([a-z]+)":/g,
    (_, before, capital, after) => {
      return `"${before}_${String(capital).toLowerCase()}${after}":`;
    },
  );
  return JSON.parse(text) as Json;
}

function enter(phase: string): void {
  process.stderr.write(`${phase}\n`);
  if (process.env["CASES_FAIL_IN"] === phase) throw new Error(`told to fail in ${phase}`);
}

await run(new Cases());
