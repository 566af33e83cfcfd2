// An agent that asks its model for each step, and prints at the end how many tokens that took and what they cost.
import { type Agent, LLM, type Request, Response, run } from "../../typescript/term/src/index.ts";

class ModelAgent implements Agent {
  #llm = new LLM();

  async solve(req: Request): Promise<Response> {
    if (!req.first) return Response.done();
    const answer = await this.#llm.ask(`Task: ${req.instruction}`, "Answer with JSON.");
    return Response.fromLLM(answer.text);
  }

  cleanup(): void {
    process.stderr.write(`$${this.#llm.totalCost.toFixed(4)} for ${this.#llm.totalTokens} tokens\n`);
  }
}

await run(new ModelAgent());
