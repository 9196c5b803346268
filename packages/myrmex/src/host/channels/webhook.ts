/**
 * A webhook signed as the specification of standardwebhooks.com says: HMAC-SHA-256 over id, time and body. A receiver that checks the
 * signature and the time knows that this host sent it, and knows a repeated one by its id.
 */
import { crypto } from '../../protocol/builtin.ts'
import type { Channel, ChannelTarget } from './channel.ts'
import { noticeJson } from './notice.ts'
import { post } from './post.ts'

const PREFIX = 'whsec_'

/** `whsec_` and base64, or any text of which the bytes are the key. */
export const webhookKey = (secret: string): Buffer =>
  secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : Buffer.from(secret)

export function webhookChannel({ url, secret }: ChannelTarget & { kind: 'webhook' }): Channel {
  const key = webhookKey(secret)
  return {
    send(notice, id) {
      const seconds = Math.floor(Date.now() / 1000)
      const body = JSON.stringify({ timestamp: new Date(seconds * 1000).toISOString(), ...noticeJson(notice) })
      const signature = crypto.createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')
      return post(url, body, {
        'webhook-id': id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': `v1,${signature}`,
      })
    },
  }
}
