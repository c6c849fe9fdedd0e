import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: the package has no types.
import * as untyped from 'oidc-provider';

const { Provider } = untyped as unknown as {
  Provider: new (issuer: string, settings: object) => { callback(): RequestListener };
};

/** A sign-in service with codes for other devices and refresh tokens that are good for one use. */
export interface DeviceService {
  issuer: string;
  /** Does what a person does at the address of a code: signs in and agrees. */
  approve(url: string): Promise<void>;
  /** The same, but the person does not agree. */
  refuse(url: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a real provider on a free port of loopback, with the client `roster`. */
export async function startDeviceService(): Promise<DeviceService> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        ...{ client_id: 'roster', client_secret: 'secret-of-roster', redirect_uris: [], response_types: [] },
        grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
      },
    ],
    features: { deviceFlow: { enabled: true } },
    scopes: ['openid', 'offline_access'],
    rotateRefreshToken: true,
    issueRefreshToken: () => true,
    cookies: { keys: ['only for this test'] },
    findAccount: (_context: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub }) }),
  });
  server.on('request', provider.callback());

  /** Walks through the pages as a browser without scripts does. */
  async function walk(url: string, agrees: boolean): Promise<void> {
    const jar = new Map<string, string>();
    const go = async (to: string, form?: URLSearchParams): Promise<{ at: string; text: string }> => {
      let at = new URL(to, issuer).href;
      let body = form;
      for (;;) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
        const response = await fetch(at, {
          ...{ redirect: 'manual', headers: { cookie } },
          ...(body ? { method: 'POST', body } : {}),
        });
        for (const line of response.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
          if (value === '') jar.delete(name);
          else jar.set(name, value);
        }
        const next = response.headers.get('location');
        const text = await response.text();
        if (next === null) return { at, text };
        [at, body] = [new URL(next, at).href, undefined];
      }
    };
    let page = await go(url);
    for (let step = 0; step < 8; step++) {
      const [, action = ''] = /<form[^>]*action="([^"]*)"/.exec(page.text) ?? [];
      if (action === '') return;
      const form = new URLSearchParams();
      for (const [input] of page.text.matchAll(/<input[^>]*>/g)) {
        const [, name = ''] = /name="([^"]*)"/.exec(input) ?? [];
        const [, value = ''] = /value="([^"]*)"/.exec(input) ?? [];
        if (name !== '') form.set(name, value);
      }
      if (form.has('login')) form.set('login', 'ann');
      if (form.has('password')) form.set('password', 'any');
      if (form.has('confirm') && !agrees) {
        form.delete('confirm');
        form.set('abort', 'yes');
      }
      page = await go(new URL(action, page.at).href, form);
    }
  }
  return {
    issuer,
    approve: (url) => walk(url, true),
    refuse: (url) => walk(url, false),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
