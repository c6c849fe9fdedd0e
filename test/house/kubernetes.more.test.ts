import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { loadConfig } from '../../config/load.ts';
import { createProgram } from '../../src/cli/program.ts';
import { findProgram, serversRequired } from '../support/server-process.ts';
import { checkDocuments } from './kubernetes-types.ts';

interface Container {
  args: string[];
  ports: { name: string; containerPort: number }[];
  securityContext: object;
  volumeMounts: { name: string; mountPath: string }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string } };
}
interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  data?: Record<string, string>;
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

const folder = join(import.meta.dirname, '../../examples/kubernetes');
const chart = join(folder, 'chart');
const helm = findProgram('helm');
const missing = helm ? false : 'helm is not installed (.ci/run installs it)';
if (missing && serversRequired) throw new Error(missing);

function read(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    assert.deepEqual(document.errors, []);
    return document.toJS() as Manifest;
  });
}

/** What Helm makes of the chart, or says about it. */
function render(...words: string[]): { manifests: Manifest[]; status: number | null; stderr: string } {
  const { status, stdout, stderr } = spawnSync(helm ?? '', ['template', 'staff', chart, ...words], {
    encoding: 'utf8',
  });
  return { manifests: status === 0 ? read(stdout) : [], status, stderr };
}

const kindsOf = (manifests: readonly Manifest[]): string[] => manifests.map(({ kind }) => kind).toSorted();

/** The settings of a ConfigMap, as the product reads them. */
function settingsOf(manifests: readonly Manifest[]): ReturnType<typeof loadConfig> {
  const text = manifests.find(({ kind }) => kind === 'ConfigMap')?.data?.['roster-sync.yaml'] ?? '';
  const place = mkdtempSync(join(tmpdir(), 'roster-sync-chart-'));
  try {
    writeFileSync(join(place, 'roster-sync.yaml'), text);
    return loadConfig({ cwd: place, environment: {} });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** What holds for the plain manifests and for the chart. */
function testDeployments(manifests: readonly Manifest[]): void {
  test('is valid by the schemas of Kubernetes, and has no field that there is not', () => checkDocuments(manifests));

  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
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
}

suite('the check of a document', () => {
  const document = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'a' } };

  test('refuses a field that there is not', async () => {
    await assert.rejects(checkDocuments([{ ...document, spec: { prots: [] } } as never]), /"prots"' does not exist/);
  });

  test('refuses a value of another type', async () => {
    await assert.rejects(checkDocuments([{ ...document, spec: { ports: 80 } } as never]), /spec\/ports must be array/);
  });
});

const always = ['ConfigMap', 'Deployment', 'Deployment', 'NetworkPolicy', 'PersistentVolumeClaim'];
const alwaysToo = ['PodDisruptionBudget', 'Service', 'ServiceAccount'];

suite('examples/kubernetes/roster-sync.yaml', () => {
  const manifests = read(readFileSync(join(folder, 'roster-sync.yaml'), 'utf8'));
  testDeployments(manifests);

  test('has a server, workers, and what limits and scales them', () => {
    assert.deepEqual(kindsOf(manifests), [...always, ...alwaysToo, 'HorizontalPodAutoscaler'].toSorted());
  });
});

const address = ['--set', 'config.service.baseUrl=https://service.example.com'];

suite('examples/kubernetes/chart with its default values', { skip: missing }, () => {
  const { manifests } = render(...address);
  testDeployments(manifests);

  test('has a server, a worker, and what limits them; the product reads its settings', () => {
    assert.deepEqual(kindsOf(manifests), [...always, ...alwaysToo].toSorted());
    const { service, server, delivery } = settingsOf(manifests);
    assert.equal(service.baseUrl, 'https://service.example.com');
    assert.deepEqual(server.hosts, ['staff-roster-sync']);
    assert.equal(delivery.rate.limit, 5);
  });

  test('says what must be set', () => {
    const { status, stderr } = render();
    assert.equal(status, 1);
    assert.match(stderr, /config\.service\.baseUrl: set the address of the service/);
  });

  test('passes helm lint', () => {
    const { status, stdout } = spawnSync(helm ?? '', ['lint', '--strict', chart, ...address], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
  });
});

suite('examples/kubernetes/chart with every value set', { skip: missing }, () => {
  const { manifests, stderr } = render('--values', join(chart, 'test-values.yaml'));
  testDeployments(manifests);

  test('has an autoscaler, an ingress and a Secret, too, and mounts the claim that is there', () => {
    const also = ['HorizontalPodAutoscaler', 'Ingress', 'Secret'];
    const expected = [...always, ...alwaysToo, ...also].filter((kind) => kind !== 'PersistentVolumeClaim');
    assert.deepEqual(kindsOf(manifests), expected.toSorted(), stderr);
    assert.deepEqual(settingsOf(manifests).server.hosts, ['other.example.com', 'staff-roster-sync', 'hr.example.com']);
    assert.match(JSON.stringify(manifests), /"claimName":"kept"/);
    const scaler = JSON.stringify(manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler'));
    assert.match(scaler, /"name":"lag_of_staff"\},"target":\{"type":"Value","value":"60"/);
  });
});
