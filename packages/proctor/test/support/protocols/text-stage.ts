// A puppet that is a program which prints its answer.
import { stdioStage } from "../atp/stages.ts";
import type { PuppetTask, Stage } from "./puppet.ts";

/** The program is the one of ATP's stage: what it says goes to stdout, whatever it is. */
export const textStage: Stage = {
  name: "text",
  carriesText: true,
  async raise(play) {
    const puppet = await stdioStage.raise((task) => {
      const printing: PuppetTask = { ...task, event: task.answer };
      return play(printing);
    });
    return { ...puppet, spec: { ...puppet.spec, protocol: "text", options: { input: "json" } } };
  },
};
