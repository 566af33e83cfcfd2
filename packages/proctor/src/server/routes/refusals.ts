// Refusals that several routes describe in the same words.

export const RUN_NOT_FOUND = "There is no such run.";
export const BAD_PAGE = "The cursor or the limit is wrong.";
/** Refusals of routes that take a JSON body. */
export const BODY_REFUSALS = {
  413: "The body is too large.",
  415: "The body is not JSON.",
};
