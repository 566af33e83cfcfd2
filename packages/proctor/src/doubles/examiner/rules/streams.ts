// Rules about streams: artifacts in pieces, and connections that break.
import { fail, pass, unevaluated } from "../../../conformance/finding.ts";
import { printed, type ClientFinding, type ClientRule } from "../client-rule.ts";
import { artifact, completed, faultsOf, turnOf, working } from "../scenario.ts";
import { endOf, operations, streams, type Seen } from "../seen.ts";

const WHOLE = "A heron stands still.";

export const STREAM_RULES: readonly ClientRule[] = [
  {
    id: "a2a.client.artifact.append",
    section: "4.2.2",
    level: "must",
    title: "puts the pieces of an artifact together",
    advice: "Append the parts of an update with `append: true` to those of the artifact with the same id.",
    scenario: {
      turn: turnOf(
        working,
        artifact("A heron ", { append: false, lastChunk: false }),
        artifact("stands ", { append: true, lastChunk: false }),
        artifact("still.", { append: true, lastChunk: true }),
        completed("Done."),
      ),
    },
    judge: (seen) => ofStream(seen, () => printed(joined(seen), WHOLE)),
  },
  {
    id: "a2a.client.artifact.replace",
    section: "4.2.2",
    level: "must",
    title: "replaces an artifact that comes again without `append`",
    advice:
      "An update without `append` is the whole of the artifact so far: what came before under its id is gone.",
    scenario: {
      turn: turnOf(
        working,
        artifact("A stork flies.", { append: false, lastChunk: false }),
        artifact(WHOLE, { append: false, lastChunk: true }),
        completed("Done."),
      ),
    },
    judge: (seen) =>
      ofStream(seen, () => {
        const found = printed(seen, WHOLE);
        const { stdout } = seen.ended;
        const isAppended = stdout.includes(`A stork flies.${WHOLE}`);
        return isAppended ? { ...fail("both artifacts are shown as one"), got: stdout.slice(-400) } : found;
      }),
  },
  {
    id: "a2a.client.stream.cut",
    section: "3.5.2",
    level: "should",
    title: "goes on with its task when the stream breaks off",
    advice: "Subscribe to the task again, or ask for it until it has ended; do not send the message again.",
    scenario: { turn: turnOf(working, artifact(WHOLE), completed(WHOLE)), faults: faultsOf("cut:2*1") },
    judge: (seen) =>
      ofStream(seen, () => {
        const after = operations(seen.requests).filter(({ operation }) => operation !== "stream");
        if (after.length > 0) return printed(seen, WHOLE);
        return fail(`the client ${endOf(seen)}, and did not ask for its task again`);
      }),
  },
  {
    id: "a2a.client.stream.end",
    section: "3.1.2",
    level: "should",
    title: "does not take the end of a stream for the end of its task",
    advice: "Only a state that ends a task, or waits for the client, is the end; otherwise ask for the task.",
    scenario: { turn: turnOf(working, artifact(WHOLE), completed("Done.")), faults: faultsOf("no-end*1") },
    judge: (seen) =>
      ofStream(seen, () => {
        const asked = operations(seen.requests).some(({ operation }) => operation !== "stream");
        if (asked || seen.ended.code !== 0) return pass();
        return fail("the stream ended before the task, and the client ended with 0 without looking after it");
      }),
  },
];

function ofStream(seen: Seen, judge: () => ClientFinding): ClientFinding {
  if (streams(seen.requests).length > 0) return judge();
  return unevaluated("the client does not stream");
}

/** Clients may print the pieces of an artifact as they come, on lines of their own. */
function joined(seen: Seen): Seen {
  const stdout = `${seen.ended.stdout}\n${seen.ended.stdout.replaceAll(/ *\r?\n/g, " ")}`;
  return { ...seen, ended: { ...seen.ended, stdout } };
}
