// Two runs, aligned step by step: figures, steps, answers.
import { useEffect, useMemo, useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import { generation } from "../../api/live.ts";
import { token } from "../../api/token.ts";
import { partsText } from "../../components/describe-event.ts";
import { count } from "../../components/format.ts";
import { Failed, Loading } from "../../components/notice.tsx";
import { Said } from "../../components/said.tsx";
import { openRunLog, type RunLog } from "../../state/run-log.ts";
import { useLoad } from "../../state/use-load.ts";
import { usePageTitle } from "../../state/use-page-title.ts";
import { useQuery } from "../../state/use-query.ts";
import { texts } from "../../texts.ts";
import { beatsOf, type Beat } from "../run/beats.tsx";
import { align, type Row, type Step } from "./align.ts";
import { ChooseRuns } from "./choose-runs.tsx";
import { CompareFacts } from "./compare-facts.tsx";
import { factOf, isHiddenDifference } from "./fact-of.ts";
import "./compare.css";

interface BeatStep extends Step {
  beat: Beat;
}

/** Number of steps of each run that are compared: aligning takes the product of both. */
const MOST_STEPS = 1200;
const MOST_EVENTS = 2000;

export function ComparePage() {
  usePageTitle(texts.compare.title);
  const query = useQuery();
  const [a, b] = [query.get("a"), query.get("b")];
  return (
    <div class="compare">
      <div class="page-head">
        <h1>{texts.compare.title}</h1>
        {a !== "" && b !== "" && (
          <div class="actions">
            <a
              class="button"
              role="button"
              aria-pressed={query.get("only") !== ""}
              href={query.href({ only: query.get("only") === "" ? "differences" : undefined })}
            >
              {texts.compare.onlyDifferences}
            </a>
            <a class="button" href={query.href({ a: b, b: a })}>
              {texts.compare.swap}
            </a>
          </div>
        )}
      </div>
      {a === "" || b === "" ? (
        <ChooseRuns a={a} b={b} query={query} />
      ) : (
        <Both key={`${a} ${b}`} a={a} b={b} onlyDifferences={query.get("only") !== ""} />
      )}
    </div>
  );
}

function Both({ a, b, onlyDifferences }: { a: string; b: string; onlyDifferences: boolean }) {
  const { log: left, isRead: isLeftRead } = useLog(a);
  const { log: right, isRead: isRightRead } = useLog(b);
  const beatsA = useMemo(() => beatsOf(left.events.value), [left.events.value]);
  const beatsB = useMemo(() => beatsOf(right.events.value), [right.events.value]);
  const rows = useMemo(() => align(stepsOf(beatsA), stepsOf(beatsB)), [beatsA, beatsB]);
  const [runA, runB] = [left.run.value, right.run.value];
  const error = left.error.value ?? right.error.value;
  if (error !== undefined) return <Failed error={error} />;
  // Beside a log of which nothing or a part is known, every step would seem to differ.
  if (runA === undefined || runB === undefined || !isLeftRead || !isRightRead) return <Loading />;
  const differing = rows.filter(({ same }) => !same).length;
  const isLong = Math.max(left.total.value, right.total.value) > MOST_EVENTS;
  const isCut = Math.max(beatsA.length, beatsB.length) > MOST_STEPS;
  return (
    <>
      <CompareFacts a={runA} b={runB} />
      <section>
        <div class="section-head">
          <h2>{texts.run.happened}</h2>
          <span class="quiet">
            {differing === 0
              ? texts.compare.identical
              : texts.compare.differences(count(differing), count(rows.length))}
          </span>
        </div>
        {isLong && <p class="notice">{texts.compare.read(count(MOST_EVENTS))}</p>}
        {isCut && <p class="notice">{texts.compare.aligned(count(MOST_STEPS))}</p>}
        <ol class="aligned">
          {rows
            .filter(({ same }) => !(onlyDifferences && same))
            .map((row, index) => (
              <Aligned key={index} row={row} />
            ))}
        </ol>
      </section>
      <section>
        <h2>{texts.compare.answer}</h2>
        <div class="aligned-row">
          <Answer id={a} ended={runA.ended_at} />
          <Answer id={b} ended={runB.ended_at} />
        </div>
      </section>
    </>
  );
}

/** `isRead` says whether everything that is compared has been read. */
function useLog(id: string): { log: RunLog; isRead: boolean } {
  const log = useMemo(() => openRunLog(id), [id, generation.value, token.value]);
  const [read, setRead] = useState<RunLog>();
  useEffect(() => () => log.close(), [log]);
  const hasBegun = log.total.value > 0;
  useEffect(() => {
    if (hasBegun) void log.readAll(MOST_EVENTS).then(() => setRead(log));
  }, [log, hasBegun]);
  return { log, isRead: read === log };
}

function stepsOf(beats: readonly Beat[]): BeatStep[] {
  return beats.slice(0, MOST_STEPS).map((beat) => ({
    beat,
    key: `${beat.event.type} ${beat.title}`,
    fact: beat.folded.map(factOf).join("\n"),
  }));
}

function Aligned({ row: { a, b, same } }: { row: Row<BeatStep> }) {
  return (
    <li class={`aligned-row ${same ? "same" : "differs"}`}>
      <Side step={a} />
      <Side
        step={b}
        note={!same && isHiddenDifference(a?.beat.event, b?.beat.event) ? texts.compare.hidden : ""}
      />
    </li>
  );
}

function Side({ step, note = "" }: { step: BeatStep | undefined; note?: string }) {
  if (step === undefined) return <div class="aligned-gap" />;
  const { title, text, bad, more } = step.beat;
  return (
    <div class={`aligned-step ${bad ? "bad" : ""}`}>
      <strong class="one-line">{title}</strong>
      <span class="quiet" dir="auto">
        {text.slice(0, 400)} {more > 0 && <small>{texts.run.andMore(count(more))}</small>}
        {note !== "" && <small class="warn-text"> {note}</small>}
      </span>
    </div>
  );
}

function Answer({ id, ended }: { id: string; ended: string | null }) {
  const messages = useLoad(`${id} ${ended ?? ""}`, (signal) => hub.messages(id, signal));
  const answer = messages.value?.items.findLast(({ message }) => message.role === "agent");
  return (
    <div>{answer === undefined ? <p class="quiet">–</p> : <Said text={partsText(answer.message)} />}</div>
  );
}
