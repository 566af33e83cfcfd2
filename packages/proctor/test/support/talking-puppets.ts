// Agents that talk, played by the test: at `puppet+stdio:x`, and at `serial+stdio:x` one run of a conversation at a time, which is told all
// that was said before.
import { QUESTION_KINDS } from "../../src/core/question.ts";
import { createScriptedDriver, type ScriptedDriver } from "./scripted-driver.ts";

export interface TalkingPuppets {
  puppet: ScriptedDriver;
  serial: ScriptedDriver;
}

export const PUPPET = "puppet+stdio:x";
export const SERIAL = "serial+stdio:x";

export function createTalkingPuppets(): TalkingPuppets {
  const talks = { says: true, asks: QUESTION_KINDS, parks: true, follows: true };
  return {
    puppet: createScriptedDriver({ talks }),
    serial: createScriptedDriver({ talks: { ...talks, turns: "serial", history: true } }),
  };
}
