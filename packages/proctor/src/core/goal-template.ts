// A goal as a file holds it: a request that may leave open what the goal is and which parameters it has.
import type { GoalRequest } from "./goal.ts";

export type GoalTemplate = Omit<GoalRequest, "goal"> & Partial<Pick<GoalRequest, "goal">>;
