// Repeats a request when that may help: after a rate limit, a server error or a broken connection. Waits as long as the endpoint asks.
import { setTimeout as sleep } from "node:timers/promises";
import { LLMError } from "../errors.ts";
import { errorOfAnswer, isWorthRetrying } from "./failures.ts";
import { type Answer, post, type PostRequest } from "./post.ts";

/** Longest wait that is granted. A call that would have to wait longer fails at once, because the harness would not wait either. */
const MAX_WAIT_SECONDS = 60;

interface RetryOptions {
  retries: number;
  onRetry: () => void;
}

/** Returns what `read` makes of the first answer with a status of 2xx. */
export async function postUntilAnswered<Read>(
  request: PostRequest,
  { retries, onRetry }: RetryOptions,
  read: (answer: Answer) => Promise<Read>,
): Promise<Read> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const answer = await post(request);
      if (answer.status >= 200 && answer.status < 300) return await read(answer);
      throw errorOfAnswer(answer.status, await answer.text(), answer.headers);
    } catch (error) {
      if (!(error instanceof LLMError) || attempt >= retries || !isWorthRetrying(error)) throw error;
      const waitSeconds = error.details.retryAfterSeconds ?? backOffSeconds(attempt);
      if (waitSeconds > MAX_WAIT_SECONDS) throw error;
      onRetry();
      await sleep(waitSeconds * 1000, undefined, request.signal ? { signal: request.signal } : {});
    }
  }
}

const backOffSeconds = (attempt: number): number =>
  Math.min(0.5 * 2 ** attempt, 8) * (0.5 + Math.random() / 2);
