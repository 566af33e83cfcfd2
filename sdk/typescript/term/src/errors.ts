// The errors that this package throws.

/** The harness sent a line that is not a request. */
export class RequestError extends Error {
  override readonly name = "RequestError";
}

/** There is no valid answer for the harness: a model's text holds none, or a field has a wrong type. */
export class ResponseError extends Error {
  override readonly name = "ResponseError";
}

export interface LLMErrorDetails {
  /** Status of the HTTP answer; absent when no answer arrived. */
  status?: number;
  model?: string;
  provider?: string;
  retryAfterSeconds?: number;
  /** Text that had arrived before a stream broke off. */
  partial?: string;
  [name: string]: unknown;
}

/** The model did not answer. Programs tell the cases apart by `code`. */
export class LLMError extends Error {
  override readonly name = "LLMError";
  readonly code: string;
  readonly details: LLMErrorDetails;

  constructor(code: string, message: string, details: LLMErrorDetails = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number | undefined {
    return this.details.status;
  }

  override toString(): string {
    return `${this.code}: ${this.message}`;
  }
}

/** Describes the error in one line. */
export const describeThrown = (thrown: unknown): string =>
  thrown instanceof Error ? thrown.message || thrown.name : String(thrown);
