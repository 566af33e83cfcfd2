// How much a run may ask of its model endpoint at once, and how much of an answer is taken.

export interface ModelLimits {
  /** Of a request. */
  bodyBytes: number;
  /** Of all requests under way together, whichever run they are of. */
  heldBytes: number;
  /** Of an answer, in one piece or as a stream. */
  answerBytes: number;
  /** Of one event of a stream, and of those that wait for its end. */
  eventChars: number;
  /** From the request to the last byte of the answer. */
  answerMs: number;
  /** Calls of one run under way at once. */
  calls: number;
}

const MB = 1024 * 1024;

export const MODEL_LIMITS: ModelLimits = {
  bodyBytes: 10 * MB,
  heldBytes: 256 * MB,
  answerBytes: 32 * MB,
  eventChars: 8 * MB,
  answerMs: 300_000,
  calls: 16,
};
