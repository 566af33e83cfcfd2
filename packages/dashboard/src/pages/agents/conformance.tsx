// Whether an agent keeps to its protocols: the results of the newest trials, and the rules that were broken.
import type { BrokenRule, ConformanceReport } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { Command } from "../../components/command.tsx";
import { count } from "../../components/format.ts";
import { NotLoaded } from "../../components/notice.tsx";
import { Time } from "../../components/time.tsx";
import { useLoad } from "../../state/use-load.ts";
import { texts } from "../../texts.ts";
import { VerdictMark } from "../../components/status.tsx";

export function Conformance({ name }: { name: string }) {
  const reports = useLoad(`conformance ${name}`, (signal) => hub.conformance(name, signal));
  if (reports.value === undefined) return <NotLoaded of={reports} />;
  const { items } = reports.value;
  return (
    <section class="conformance">
      {items.length === 0 && <p class="quiet">{texts.conformance.none}</p>}
      {items.map((report) => (
        <Report key={report.protocol} report={report} />
      ))}
      <p class="quiet">{texts.conformance.again}</p>
      <Command>{`proctor conform ${name}`}</Command>
    </section>
  );
}

function Report({ report }: { report: ConformanceReport }) {
  const { title, transport, verdict, counts, checked_at, proctor_version, reachable, strict, broken } =
    report;
  return (
    <section>
      <div class="section-head">
        <h2>{title}</h2>
        <VerdictMark verdict={verdict} />
      </div>
      <p class="head-line quiet">
        <span>{texts.conformance.over(transport)}</span>
        {Object.entries(texts.conformance.counts).map(([name, word]) => {
          const value = counts[name as keyof ConformanceReport["counts"]];
          return value > 0 && <span key={name}>{word(count(value))}</span>;
        })}
        {strict && <span>{texts.conformance.strict}</span>}
        <span>
          {texts.conformance.checked} <Time at={checked_at} />
        </span>
        <span>{texts.conformance.by(proctor_version)}</span>
      </p>
      {!reachable && <p class="notice bad">{texts.conformance.unreachable}</p>}
      {broken.length > 0 && (
        <ul class="broken-rules">
          {broken.map((rule) => (
            <Broken key={rule.id} rule={rule} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Broken({ rule }: { rule: BrokenRule }) {
  const { id, title, owner, section, level, grade, reason } = rule;
  return (
    <li data-grade={grade}>
      <p>
        <span class="tag">{texts.conformance.grades[grade]}</span> <strong>{title}</strong>
      </p>
      {reason !== undefined && <p class="said">{reason}</p>}
      <p class="quiet head-line">
        <code>{id}</code>
        <span>{level}</span>
        <span>
          {owner === "document" ? texts.conformance.section(section ?? "") : texts.conformance.ownRule}
        </span>
      </p>
    </li>
  );
}
