// `task.yaml` of Terminal-Bench 1.
import { z } from "zod";

const seconds = z.number().positive();

export const taskFile = z.strictObject({
  instruction: z.string().min(1),
  author_name: z.string().optional(),
  author_email: z.string().optional(),
  difficulty: z.string().optional(),
  category: z.string().optional(),
  tags: z.array(z.string()).optional(),
  parser_name: z.string().optional(),
  max_agent_timeout_sec: seconds.optional(),
  max_test_timeout_sec: seconds.optional(),
  test_timeout_sec: seconds.optional(),
  run_tests_in_same_shell: z.boolean().optional(),
  disable_asciinema: z.boolean().optional(),
  estimated_duration_sec: z.number().nullish(),
  expert_time_estimate_min: z.number().nullish(),
  junior_time_estimate_min: z.number().nullish(),
  test_scripts: z.array(z.string()).optional(),
  custom_docker_compose: z.unknown().optional(),
  env_name: z.unknown().optional(),
});

/** The content of `solution.yaml`: the commands of a solution as they are typed. */
export const typedCommands = z
  .array(z.looseObject({ command: z.string(), append_enter: z.literal(true).optional() }))
  .min(1);
