// What can be done with a run, by its status.
import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";
import { hub } from "../../api/hub.ts";
import type { Run } from "../../api/gen/schema.ts";
import { Button } from "../../components/button.tsx";
import { pagePath } from "../../api/address.ts";
import { texts } from "../../texts.ts";
import { runHref } from "../runs/run-row.tsx";
import { MakeTest } from "./make-test.tsx";
import { rerunRequest } from "./rerun.ts";
import { RerunDialog } from "./rerun-dialog.tsx";
import type { RunTabProps } from "./run-page.tsx";

export function isOver(run: Run): boolean {
  return run.ended_at !== null;
}

export function RunActions({ run, log }: RunTabProps) {
  const { route } = useLocation();
  const [changing, setChanging] = useState(false);
  const control = (verb: "start" | "cancel" | "pause" | "resume") => async () => {
    await hub.control(run.id, verb);
    await log.reload();
  };
  const rerun = async () => route(runHref((await hub.submit(rerunRequest(run))).id));
  const { status } = run;
  return (
    <div class="actions">
      {status === "created" && <Button onPress={control("start")}>{texts.run.start}</Button>}
      {(status === "running" || status === "waiting") && (
        <Button onPress={control("pause")}>{texts.run.pause}</Button>
      )}
      {status === "paused" && <Button onPress={control("resume")}>{texts.run.resume}</Button>}
      {!isOver(run) && (
        <Button kind="danger" onPress={control("cancel")}>
          {texts.run.cancel}
        </Button>
      )}
      {isOver(run) && (
        <>
          <Button onPress={rerun}>{texts.run.rerun}</Button>
          <Button onPress={() => setChanging(true)}>{texts.run.rerunChanged}</Button>
          <MakeTest run={run} />
          <Button kind="plain" onPress={() => route(pagePath("compare", { a: run.id }))}>
            {texts.run.compare}
          </Button>
        </>
      )}
      {changing && <RerunDialog run={run} onClose={() => setChanging(false)} />}
    </div>
  );
}
