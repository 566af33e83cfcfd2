// Feedback is a field of its own: the task stays as it was.
import { describe, expect, it } from "vitest";
import { feedbackIn, feedbackText } from "../../core/feedback.ts";
import { withFeedback } from "./feedback.ts";

const task = { description: "Write a report", input_data: { topic: "cats" } };

describe("Feedback for the next attempt", () => {
  it("stands beside the task, which is not rewritten", () => {
    const comments = { issues: ["too long"] };
    const next = withFeedback({ task, metadata: { team: "a" } }, comments, 1);
    expect(next).toEqual({ task, metadata: { team: "a", feedback: { round: 1, comments } } });
    expect(next.task).toBe(task);
    expect(feedbackIn(next.metadata ?? {})).toEqual({ round: 1, comments });
  });

  it("of a later round takes the place of the one before", () => {
    const first = withFeedback({ task }, "shorter", 1);
    const second = withFeedback(first, "longer", 2);
    expect(second.metadata).toEqual({ feedback: { round: 2, comments: "longer" } });
  });

  it("is left out where the reviewer had nothing to say", () => {
    expect(withFeedback({ task }, undefined, 1)).toEqual({ task, metadata: {} });
  });

  it("is a text for agents that read only text", () => {
    expect(feedbackText({ round: 2, comments: "in French" })).toBe(
      "Feedback on the previous attempt (round 2):\nin French",
    );
    expect(feedbackText({ round: 1, comments: { a: 1 } })).toContain('"a": 1');
  });

  it("is not seen in metadata that a client uses for something else", () => {
    for (const feedback of [undefined, "nice", { stars: 5 }, { round: "1", comments: "x" }, [1]])
      expect(feedbackIn(feedback === undefined ? {} : { feedback })).toBeUndefined();
  });
});
