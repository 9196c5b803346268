/** A way in which a waiting call is announced to a person. */
import { ToolError } from '../../protocol/errors.ts'
import type { Notice } from './notice.ts'

export interface Channel {
  /** Rejects with what went wrong, without a secret. */
  send(notice: Notice, id: string): Promise<void>
}

interface Filter {
  /** canonical names or patterns of the tools to announce; default: all */
  readonly tools?: readonly string[]
  /** whether the arguments are sent too; a webhook always gets them */
  readonly withArguments: boolean
}

export type ChannelTarget =
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }
  | { readonly kind: 'slack'; readonly url: string }
  | { readonly kind: 'email'; readonly smtp: string; readonly from: string; readonly to: readonly string[] }
  | { readonly kind: 'desktop' }

export type ChannelKind = ChannelTarget['kind']

/** `target` has secrets. Without one the channel announces nothing, because of its `problem`. */
export type ChannelSettings = Filter & { readonly name: string; readonly kind: ChannelKind } & (
    | { readonly target: ChannelTarget }
    | { readonly target: undefined; readonly problem: string }
  )

/** What myrmex.json says about announcements. `link`: the base of their links; undefined: the URL of the host. */
export interface Announcements {
  readonly channels: readonly ChannelSettings[]
  readonly link: string | undefined
}

/** Loads only what the channel needs. */
export async function openChannel(settings: ChannelSettings): Promise<Channel> {
  const { target, withArguments } = settings
  if (target === undefined) throw ToolError.of('ValidationError', settings.problem)
  switch (target.kind) {
    case 'webhook':
      return (await import('./webhook.ts')).webhookChannel(target)
    case 'slack':
      return (await import('./slack.ts')).slackChannel(target.url, withArguments)
    case 'email':
      return (await import('./email.ts')).emailChannel(target, withArguments)
    case 'desktop':
      return (await import('./desktop.ts')).desktopChannel(withArguments)
  }
}
