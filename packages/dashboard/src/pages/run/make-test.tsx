// A run as the test of a suite, to keep what works and to catch what does not.
import { useState } from "preact/hooks";
import type { Run } from "../../api/gen/schema.ts";
import { hub } from "../../api/hub.ts";
import { Button } from "../../components/button.tsx";
import { Command } from "../../components/command.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { saveAs } from "../../components/save-as.ts";
import { texts } from "../../texts.ts";

export function MakeTest({ run }: { run: Run }) {
  const [suite, setSuite] = useState<string | undefined>(undefined);
  const name = `run-${run.id.slice(-8)}.yaml`;
  return (
    <>
      <Button onPress={async () => setSuite(await hub.suiteOf(run.id))}>{texts.run.makeTest}</Button>
      {suite !== undefined && (
        <Dialog title={texts.run.makeTest} onClose={() => setSuite(undefined)}>
          <div class="stack">
            <pre class="code preview-text">{suite}</pre>
            <Command>{`proctor test ${name}`}</Command>
            <div class="row-of-buttons">
              <Button onPress={() => setSuite(undefined)}>{texts.close}</Button>
              <Button
                kind="main"
                onPress={() => saveAs(new Blob([suite], { type: "application/yaml" }), name)}
              >
                {texts.run.download}
              </Button>
            </div>
          </div>
        </Dialog>
      )}
    </>
  );
}
