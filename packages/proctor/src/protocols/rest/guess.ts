// Where endpoints usually put their answer, for agents whose options do not say. The first place that holds a text wins.
import type { Json } from "../../core/json.ts";
import { placeIn, type PlaceInJson } from "./options.ts";

const ANSWERS = [
  "answer",
  "output",
  "output_text",
  "response",
  "reply",
  "result",
  "completion",
  "generated_text",
  "text",
  "content",
  "message",
  "message.content",
  "message.text",
  "choices[0].message.content",
  "choices[0].text",
  "output.text",
  "output[*].content[*].text",
  "content[*].text",
  "messages[-1].content",
  "candidates[0].content.parts[*].text",
  "data.answer",
  "data.output",
  "data.response",
  "data.text",
  "[0].generated_text",
  "[0].output",
].map(placeIn);

/** Places whose value is the answer even where it is not a text. */
const STRUCTURED = ["answer", "output", "response", "result"].map(placeIn);

const DELTAS = [
  "choices[0].delta.content",
  "delta.text",
  "delta.content",
  "delta",
  "text",
  "token",
  "token.text",
  "content",
  "message.content",
  "response",
  "answer",
  "output",
  "chunk",
  "choices[0].text",
].map(placeIn);

/** Returns undefined where none of the usual places holds anything. */
export function guessAnswer(document: Json): PlaceInJson | undefined {
  return (
    ANSWERS.find((place) => typeof place.find(document) === "string") ??
    STRUCTURED.find((place) => place.find(document) !== undefined)
  );
}

/** Returns the place of the next piece of text in a frame; undefined where none of the usual ones holds any. */
export function guessDelta(frame: Json): PlaceInJson | undefined {
  return DELTAS.find((place) => {
    const found = place.find(frame);
    return typeof found === "string" && found !== "";
  });
}
