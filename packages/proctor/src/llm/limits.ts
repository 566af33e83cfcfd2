// How much a run may ask of its model endpoint at once, and how much of an answer is taken.

export interface ModelLimits {
  /** Largest body of a request, in bytes. */
  bodyBytes: number;
  /** Largest sum of the bodies under way at once, in bytes, over all runs. */
  heldBytes: number;
  /** Largest answer, in one piece or as a stream, in bytes. */
  answerBytes: number;
  /** Largest event of a stream, and largest sum of events held back until its end, in characters. */
  eventChars: number;
  /** Milliseconds from the request to the last byte of the answer. */
  answerMs: number;
  /** Most calls of one run under way at once. */
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
