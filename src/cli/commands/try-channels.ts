// `doctor --notify`: sends a test on every notification channel.
import type { Config } from '../../../config/load.ts';
import { testNotice } from '../../core/run/notification.ts';
import { openNotifier } from '../../notify/notifier.ts';
import { readVersion } from '../../process/version.ts';
import type { Finding } from '../../wiring/findings.ts';

export async function tryChannels({ notify, proxyEnvironment: environment }: Config): Promise<Finding[]> {
  const notifier = openNotifier({ settings: notify, userAgent: `roster-sync/${readVersion()}`, environment });
  const { subscriptions } = notifier;
  const findings = await Promise.all(
    subscriptions.map(async ({ channel }): Promise<Finding> => {
      const { ok, said } = await notifier.send(channel, testNotice, `test-${Date.now()}`);
      const note = ok && channel === 'heartbeat' ? ' (the monitor counts this as a good run)' : '';
      return { what: channel, state: ok ? 'ok' : 'problem', text: said + note };
    }),
  );
  await notifier.close();
  if (findings.length > 0) return findings;
  return [
    {
      what: 'notify',
      state: 'remark',
      text: 'nobody is notified of anything: no notify.webhook, smtp or heartbeat is set',
    },
  ];
}
