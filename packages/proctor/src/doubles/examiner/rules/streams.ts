// Rules about streams: artifacts in pieces, and connections that break.
import { assume, demand } from "../../../conformance/demand.ts";
import { demandPrinted, type ClientRule } from "../client-rule.ts";
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
    judge(seen) {
      assumeStream(seen);
      demandPrinted(joined(seen), WHOLE);
    },
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
    judge(seen) {
      assumeStream(seen);
      const { stdout } = seen.ended;
      const isAppended = stdout.includes(`A stork flies.${WHOLE}`);
      demand(!isAppended, "both artifacts are shown as one", { got: stdout.slice(-400) });
      demandPrinted(seen, WHOLE);
    },
  },
  {
    id: "a2a.client.stream.cut",
    section: "3.5.2",
    level: "should",
    title: "goes on with its task when the stream breaks off",
    advice: "Subscribe to the task again, or ask for it until it has ended; do not send the message again.",
    scenario: { turn: turnOf(working, artifact(WHOLE), completed(WHOLE)), faults: faultsOf("cut:2*1") },
    judge(seen) {
      assumeStream(seen);
      demand(asksAgain(seen), `the client ${endOf(seen)}, and did not ask for its task again`);
      demandPrinted(seen, WHOLE);
    },
  },
  {
    id: "a2a.client.stream.end",
    section: "3.1.2",
    level: "should",
    title: "does not take the end of a stream for the end of its task",
    advice: "Only a state that ends a task, or waits for the client, is the end; otherwise ask for the task.",
    scenario: { turn: turnOf(working, artifact(WHOLE), completed("Done.")), faults: faultsOf("no-end*1") },
    judge(seen) {
      assumeStream(seen);
      const reason = "the stream ended before the task, and the client ended with 0 without looking after it";
      demand(asksAgain(seen) || seen.ended.code !== 0, reason);
    },
  },
];

function assumeStream({ requests }: Seen): void {
  assume(streams(requests).length > 0, "the client does not stream");
}

function asksAgain({ requests }: Seen): boolean {
  return operations(requests).some(({ operation }) => operation !== "stream");
}

/** Joins the lines of stdout, because clients may print the pieces of an artifact on lines of their own. */
function joined(seen: Seen): Seen {
  const stdout = `${seen.ended.stdout}\n${seen.ended.stdout.replaceAll(/ *\r?\n/g, " ")}`;
  return { ...seen, ended: { ...seen.ended, stdout } };
}
