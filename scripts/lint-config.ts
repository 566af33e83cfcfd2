// Writes .oxlintrc.json: the rules we lint with, plus one import rule per layer derived from layers.json.
// architecture.test.ts checks the sources against the same table, and that the written file is up to date.
import { readFileSync, writeFileSync } from "node:fs";

const layers: Record<string, string[]> = JSON.parse(
  readFileSync(new URL("./layers.json", import.meta.url), "utf8"),
) as Record<string, string[]>;

const source = "packages/proctor/src";

function layerOverride(layer: string): object {
  const allowed = layers[layer] ?? [];
  const group = Object.keys(layers)
    .filter((other) => other !== layer)
    .flatMap((other) => {
      if (allowed.includes(other)) return [];
      const doors = allowed.filter((entry) => entry.startsWith(`${other}/`));
      return [`**/${other}/**`, ...doors.map((door) => `!**/${door}.ts`)];
    });
  const isCore = layer === "core";
  return {
    files: [`${source}/${layer}/**/*.ts`],
    excludeFiles: [`${source}/**/*.test.ts`, `${source}/**/*.case.ts`, `${source}/cli/compose/**`],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            {
              group,
              message: `${layer}/ may import only: ${allowed.join(", ") || "itself"} (ARCHITECTURE.md)`,
            },
            ...(isCore ? [{ group: ["node:*"], message: "core is pure: no Node built-ins" }] : []),
          ],
        },
      ],
    },
  };
}

/** The rule that keeps the dashboard to the public API. */
function dashboardOverride(): object {
  const message = "the dashboard speaks only the public HTTP API (ARCHITECTURE.md)";
  return {
    files: ["packages/dashboard/src/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { patterns: [{ group: ["**/proctor/**", "proctor", "proctor/*", "node:*"], message }] },
      ],
    },
  };
}

export function lintConfig(): object {
  return {
    $schema: "./node_modules/oxlint/configuration_schema.json",
    plugins: ["typescript", "unicorn", "oxc", "import"],
    categories: { correctness: "error", suspicious: "error", perf: "error" },
    rules: {
      "import/no-cycle": "error",
      "import/no-default-export": "error",
      "typescript/no-explicit-any": "error",
      "typescript/no-floating-promises": "error",
      "typescript/no-misused-promises": "error",
      "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
      "typescript/consistent-type-imports": "error",
      "no-console": "error",
      eqeqeq: ["error", "always", { null: "ignore" }],
      "max-lines": ["error", { max: 400 }],
      "max-lines-per-function": "off",
      "no-await-in-loop": "off",
      "no-shadow": "off",
      "unicorn/no-array-sort": "off",
      "unicorn/consistent-function-scoping": "off",
      "unicorn/no-array-reverse": "off",
      "import/no-unassigned-import": "off",
      "typescript/no-unsafe-type-assertion": "off",
      "no-underscore-dangle": "off",
      // The compiler knows that an exhaustive switch returns; this rule does not.
      "typescript/consistent-return": "off",
      "oxc/no-map-spread": "off",
    },
    ignorePatterns: ["**/dist/**", "**/node_modules/**", "**/corpus/**", "**/gen/**"],
    overrides: [
      ...Object.keys(layers).map(layerOverride),
      dashboardOverride(),
      {
        files: ["**/*.test.ts", "**/*.case.ts", "packages/*/test/**", "sdk/*/test/**"],
        rules: { "max-lines": ["error", { max: 600 }] },
      },
      {
        files: [
          "scripts/**",
          "bench/**",
          "examples/**",
          "packages/*/bin/**",
          "packages/*/test/**",
          "sdk/*/test/**",
        ],
        rules: { "no-console": "off" },
      },
      // This file holds every text of the pages.
      { files: ["packages/dashboard/src/texts.ts"], rules: { "max-lines": "off" } },
      { files: ["*.config.ts"], rules: { "import/no-default-export": "off" } },
    ],
  };
}

if (process.argv[1]?.endsWith("lint-config.ts")) {
  writeFileSync(new URL("../.oxlintrc.json", import.meta.url), `${JSON.stringify(lintConfig(), null, 2)}\n`);
}
