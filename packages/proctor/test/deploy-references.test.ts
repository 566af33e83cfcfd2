// Whether what the files in deploy/ name is there: in the other files, in kustomize where it is installed, and in the metrics of a real hub.
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { eventually, HANG_MS } from "./support/eventually.ts";
import { startHubProcess } from "./support/hub-process.ts";
import { createDatabase, lacksPostgres } from "./support/postgres.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";
import { fixture } from "./support/test-hub.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const read = (path: string): string => readFileSync(join(root, "deploy", path), "utf8");

interface Service {
  depends_on?: string[] | Record<string, object>;
  volumes?: string[];
  stop_grace_period?: string;
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  ports?: string[];
}

/** As far as these tests look at it. */
interface Manifest {
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
  spec: {
    selector: { matchLabels?: Record<string, string> } & Record<string, unknown>;
    ports: { targetPort: string }[];
    scaleTargetRef: { kind: string; name: string };
    template: {
      metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        volumes: { name: string }[];
        containers: {
          image: string;
          ports?: { name: string; containerPort: number }[];
          env: { name: string; value: string }[];
          envFrom: Record<"configMapRef" | "secretRef", { name: string } | undefined>[];
          volumeMounts: { name: string }[];
          livenessProbe?: { httpGet: { port: string } };
        }[];
      };
    };
  };
}

const compose = parse(read("compose/compose.yaml"), { merge: true }) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const manifests = readdirSync(join(root, "deploy/kubernetes"))
  .filter((file) => file !== "kustomization.yaml")
  .flatMap((file) =>
    parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as Manifest),
  );
const ofKind = (kind: string): Manifest[] => manifests.filter((manifest) => manifest.kind === kind);
const namesOf = (kind: string): string[] => ofKind(kind).map(({ metadata }) => metadata.name);

describe("the compose file", () => {
  const services = Object.entries(compose.services);

  it("waits for services that it has, keeps data in volumes that it has, and mounts files that are there", () => {
    for (const [name, { depends_on: needs = [], volumes = [] }] of services) {
      for (const needed of Array.isArray(needs) ? needs : Object.keys(needs))
        expect(Object.keys(compose.services), name).toContain(needed);
      for (const volume of volumes) {
        const [from = ""] = volume.split(":");
        if (from.startsWith("./")) expect(readdirSync(join(root, "deploy/compose"))).toContain(from.slice(2));
        else expect(Object.keys(compose.volumes), name).toContain(from);
      }
    }
  });

  it("gives a stopped process half a minute more than its grace, and reaches hubs where they listen", () => {
    const conf = read("compose/nginx.conf");
    for (const [name, { stop_grace_period: stop, environment = {}, healthcheck }] of services) {
      if (!/^(?:hub|worker)-/.test(name)) continue;
      expect(parseInt(stop ?? ""), name).toBeGreaterThanOrEqual(
        Number(environment["PROCTOR_GRACE_SECONDS"]) + 30,
      );
      if (!name.startsWith("hub-")) continue;
      expect(conf).toContain(`${name}:${environment["API_PORT"]}`);
      expect(healthcheck?.test.join(" ")).toContain(`:${environment["API_PORT"]}/health/ready`);
    }
    const [, inside] = /:(\d+)$/.exec(compose.services["balancer"]?.ports?.[0] ?? "") ?? [];
    expect(conf).toContain(`listen ${inside}`);
  });

  it("is one that Docker Compose takes, where there is one", ({ skip }) => {
    const found = spawnSync("docker", ["compose", "version"]);
    if (found.status !== 0) skip("there is no docker compose here");
    const files = ["-f", "deploy/compose/compose.yaml", "--env-file", "deploy/compose/.env.example"];
    execFileSync("docker", ["compose", ...files, "config", "--quiet"], { cwd: root });
  });
});

describe("the manifests of Kubernetes", () => {
  it("select pods that there are, by ports, settings, secrets and volumes that there are", () => {
    for (const { spec, metadata } of ofKind("Deployment")) {
      const { template, selector } = spec;
      expect(template.metadata.labels, metadata.name).toMatchObject(selector.matchLabels ?? {});
      const volumes = template.spec.volumes.map(({ name }) => name);
      for (const { envFrom, volumeMounts, ports = [], livenessProbe } of template.spec.containers) {
        for (const { configMapRef, secretRef } of envFrom) {
          if (configMapRef) expect(namesOf("ConfigMap")).toContain(configMapRef.name);
          if (secretRef) expect(namesOf("Secret")).toContain(secretRef.name);
        }
        for (const { name } of volumeMounts) expect(volumes).toContain(name);
        if (livenessProbe) expect(ports.map(({ name }) => name)).toContain(livenessProbe.httpGet.port);
      }
      const [settings] = ofKind("ConfigMap");
      expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(
        Number(settings?.data?.["PROCTOR_GRACE_SECONDS"]) + 30,
      );
    }
    for (const { spec } of ofKind("Service")) {
      const behind = ofKind("Deployment").filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([key, value]) => template.metadata.labels[key] === value),
      );
      expect(behind).toHaveLength(1);
      const open = behind[0]?.spec.template.spec.containers.flatMap(({ ports = [] }) => ports) ?? [];
      for (const { targetPort } of spec.ports) expect(open.map(({ name }) => name)).toContain(targetPort);
      const [url = ""] = behind.flatMap(({ spec: { template } }) =>
        template.spec.containers.flatMap(({ env }) =>
          env.filter(({ name }) => name === "PROCTOR_PUBLIC_URL").map(({ value }) => value),
        ),
      );
      expect(namesOf("Service")).toContain(new URL(url).hostname);
    }
    for (const { spec } of ofKind("HorizontalPodAutoscaler"))
      expect(namesOf(spec.scaleTargetRef.kind)).toContain(spec.scaleTargetRef.name);
  });

  it("have the image and the namespace that the kustomization gives them", ({ skip }) => {
    const { images, namespace } = parse(read("kubernetes/kustomization.yaml")) as {
      images: { name: string; newName: string; newTag: string }[];
      namespace: string;
    };
    expect(namesOf("Namespace")).toEqual([namespace]);
    const used = ofKind("Deployment").flatMap(({ spec }) => spec.template.spec.containers);
    expect(new Set(used.map(({ image }) => image))).toEqual(new Set(images.map(({ name }) => name)));
    const built = spawnSync("kubectl", ["kustomize", join(root, "deploy/kubernetes")], { encoding: "utf8" });
    if (built.error) skip("there is no kubectl here");
    expect(built.stderr).toBe("");
    const made = parseAllDocuments(built.stdout).map((document) => document.toJS() as Manifest);
    expect(made.map(({ kind }) => kind).toSorted()).toEqual(manifests.map(({ kind }) => kind).toSorted());
    const [image] = images;
    for (const { kind, spec } of made)
      if (kind === "Deployment")
        expect(spec.template.spec.containers[0]?.image).toBe(`${image?.newName}:${image?.newTag}`);
  });
});

describe.skipIf(await lacksPostgres("the metrics of deployments"))("metrics of deployments", () => {
  it(
    "on the dashboard, in alerts and in the scaling of workers are those of a hub",
    { timeout: HANG_MS },
    async () => {
      const hub = await startHubProcess({
        folder: temporaryFolder("metrics"),
        env: { DATABASE_URL: await createDatabase(), PROCTOR_GRACE_SECONDS: "1" },
      });
      const { id } = await hub.post<{ id: string }>("/runs", {
        agent: fixture("ok"),
        task: { description: "be counted" },
      });
      await hub.ended(id);
      const { groups } = parse(read("prometheus/alerts.yaml")) as {
        groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
      };
      const rules = groups.flatMap((group) => group.rules);
      expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
      for (const { annotations } of rules)
        expect(Object.keys(annotations)).toEqual(["summary", "description"]);
      const { panels } = JSON.parse(read("grafana/dashboard.json")) as {
        panels: { targets: { expr: string }[] }[];
      };
      const texts = [
        ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
        ...rules.map(({ expr }) => expr),
        read("kubernetes/worker-scaling.yaml"),
      ];
      const named = new Set(texts.flatMap((text) => text.match(/proctor_\w+/g) ?? []));
      expect(named.size).toBeGreaterThan(12);
      await eventually(async () => {
        const shown = await (await hub.send("GET", "/metrics")).text();
        const there = new Set(Array.from(shown.matchAll(/^(proctor_\w+)/gm), ([, name = ""]) => name));
        expect([...named].filter((name) => !there.has(name))).toEqual([]);
      });
      expect(await hub.stop()).toBe(0);
    },
  );
});
