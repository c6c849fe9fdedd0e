import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { createProgram } from '../../src/cli/program.ts';

interface Container {
  args: string[];
  ports: { name: string; containerPort: number }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}
interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: {
    selector?: { matchLabels: Record<string, string> };
    template: {
      metadata: { labels: Record<string, string>; annotations: Record<string, string> };
      spec: {
        terminationGracePeriodSeconds: number;
        securityContext: { runAsNonRoot: boolean };
        containers: [Container];
        volumes: { name: string }[];
      };
    };
  };
}

const file = join(import.meta.dirname, '../../examples/kubernetes/roster-sync.yaml');
const manifests = parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
  assert.deepEqual(document.errors, []);
  return document.toJS() as Manifest;
});
const deployments = manifests.filter(({ kind }) => kind === 'Deployment');

suite('examples/kubernetes', () => {
  for (const { metadata, spec } of deployments) {
    const { template } = spec;
    const [container] = template.spec.containers;

    test(`${metadata.name} runs a command that exists, with its flags`, () => {
      const name = container.args.find((word) => word === 'serve' || word === 'worker');
      const command = createProgram().commands.find((one) => one.name() === name);
      const flags = container.args.filter((word) => word.startsWith('--') && word !== '--config');
      for (const flag of flags)
        assert.ok(
          command?.options.some(({ long }) => long === flag),
          flag,
        );
    });

    test(`${metadata.name} is probed and measured on the port it listens on, and has time to end`, () => {
      const [port] = container.ports;
      assert.equal(container.args[container.args.indexOf('--port') + 1], String(port?.containerPort));
      assert.equal(template.metadata.annotations['prometheus.io/port'], String(port?.containerPort));
      for (const probe of ['startup', 'liveness', 'readiness'] as const) {
        const { path, port: named } = container[`${probe}Probe`]!.httpGet;
        assert.deepEqual([path, named], [probe === 'readiness' ? '/readyz' : '/healthz', port?.name]);
      }
      assert.ok(template.spec.terminationGracePeriodSeconds > 30);
    });

    test(`${metadata.name} has no rights, and a root that cannot be written`, () => {
      assert.equal(template.spec.securityContext.runAsNonRoot, true);
      assert.deepEqual(container.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const names = new Set(template.spec.volumes.map(({ name }) => name));
      for (const { name } of container.volumeMounts) assert.ok(names.has(name), name);
      const labels = Object.entries(spec.selector?.matchLabels ?? {});
      for (const [key, value] of labels) assert.equal(template.metadata.labels[key], value);
    });
  }

  test('there are a server, workers, and what limits and scales them', () => {
    assert.deepEqual(manifests.map(({ kind }) => kind).toSorted(), [
      ...['ConfigMap', 'Deployment', 'Deployment', 'HorizontalPodAutoscaler', 'NetworkPolicy', 'PersistentVolumeClaim'],
      ...['PodDisruptionBudget', 'Service', 'ServiceAccount'],
    ]);
  });
});
