// Sends a notice as a mail.
import { escapeText } from '../core/text/format.ts';
import { isLoopback } from '../core/host/this-machine.ts';
import type { Secret } from '../core/secrets/secret.ts';
import { decoded } from '../core/secrets/secret-parts.ts';
import { beforeAbort } from '../core/before-abort.ts';
import type { Notice } from '../core/run/notification.ts';
import { mailText } from './notice-text.ts';
import type { Reply } from './post.ts';

/** By which server mails are sent, and between whom. */
export interface MailSettings {
  smtp: Secret;
  from: string;
  to: readonly string[];
}

const stepTimeoutMs = 5000;

/**
 * Sends a notice as a mail of plain text. Never throws. Passwords travel over TLS only, unless the server is on this
 * machine. No machine answers to it (RFC 3834).
 */
export async function mailNotice(
  { smtp, from, to }: MailSettings,
  notice: Notice,
  { id, at, signal, link }: { id: string; at: Date; signal: AbortSignal; link?: string | undefined },
): Promise<Reply> {
  const url = new URL(smtp.reveal());
  const { createTransport } = await import('nodemailer');
  const secure = url.protocol === 'smtps:';
  const user = decoded(url.username);
  const pass = decoded(url.password);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  // Where nothing secret travels, or not beyond this machine, encryption with an unverified server is better than none.
  const mustTrust = secure || (user !== '' && !isLoopback(url.hostname));
  const transport = createTransport({
    host,
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    secure,
    requireTLS: mustTrust,
    tls: { rejectUnauthorized: mustTrust },
    ...(user === '' ? {} : { auth: { user, pass } }),
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const sending = transport.sendMail({
      from,
      to: [...to],
      subject: notice.subject,
      text: mailText(notice, link),
      date: at,
      messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    });
    const { accepted, rejected, response } = await beforeAbort(sending, signal);
    const some = rejected.length > 0 ? `; refused for ${rejected.length} of ${to.length}` : '';
    return { ok: accepted.length > 0, said: `${url.host}: ${escapeText(response)}${some}` };
  } catch (error) {
    const why = signal.aborted ? 'no answer in time' : withoutSecrets(error, [pass, user]);
    return { ok: false, said: `${url.host}: ${why}` };
  } finally {
    transport.close();
  }
}

function withoutSecrets(error: unknown, secrets: readonly string[]): string {
  const text = error instanceof Error ? error.message : String(error);
  const hidden = secrets.filter(({ length }) => length > 0).reduce((left, each) => left.replaceAll(each, '***'), text);
  return escapeText(hidden);
}
