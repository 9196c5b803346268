/** An e-mail by SMTP, as plain text. `smtp://` upgrades to TLS where the server can; `smtps://` demands it. */

import { loadOptional } from '../../ledger/optional-packages.ts'
import { isLoopback } from '../../protocol/loopback.ts'
import type { Channel, ChannelTarget } from './channel.ts'
import { noticeText, noticeTitle } from './notice.ts'

const TIMEOUT_MS = 20_000

export async function emailChannel(
  { smtp, from, to }: ChannelTarget & { kind: 'email' },
  withArguments: boolean,
): Promise<Channel> {
  const { createTransport } = await loadOptional('A channel by e-mail', ['nodemailer'], () => import('nodemailer'))
  const url = new URL(smtp)
  const mailer = createTransport({
    host: url.hostname,
    port: Number(url.port || (url.protocol === 'smtps:' ? 465 : 587)),
    secure: url.protocol === 'smtps:',
    // A password is never sent in clear, except on this machine.
    requireTLS: url.protocol === 'smtp:' && url.username !== '' && !isLoopback(url.hostname),
    ...(url.username !== '' && {
      auth: { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
    }),
    connectionTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    // Nothing in a notice may read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send(notice, id) {
      await mailer
        .sendMail({
          from,
          to: [...to],
          subject: noticeTitle(notice),
          text: noticeText(notice, withArguments),
          // The same letter when it is sent again.
          messageId: `<${id}@myrmex>`,
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        .catch((thrown: { code?: unknown; responseCode?: unknown }) => {
          const { code, responseCode } = thrown
          throw new Error(
            `${url.host} did not take the e-mail: ${[code, responseCode].filter(Boolean).join(' ') || 'it failed'}`,
          )
        })
    },
  }
}
