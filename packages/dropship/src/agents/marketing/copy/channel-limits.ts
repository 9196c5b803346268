/**
 * Channels for copy, and the text lengths they show in full. Sources, as of 2026: Meta's ads guide shows 125 characters of primary
 * text and 40 of a headline in the feeds; TikTok Ads Manager accepts 1 to 100 characters of ad text and 40 of a display name, without
 * @ or #; mail programs show about 60 characters of a subject. The other limits are our choice.
 */
import { PLATFORMS } from '../../../ports.ts'

export const CHANNELS = [...PLATFORMS, 'email', 'page'] as const
export type Channel = (typeof CHANNELS)[number]

export interface ChannelLimits {
  /** in characters */
  readonly headline: number
  readonly body: number
  readonly forbiddenCharacters: RegExp
}

export const CHANNEL_LIMITS: Readonly<Record<Channel, ChannelLimits>> = {
  facebook: { headline: 40, body: 125, forbiddenCharacters: /[<>]/g },
  instagram: { headline: 40, body: 125, forbiddenCharacters: /[<>]/g },
  tiktok: { headline: 40, body: 100, forbiddenCharacters: /[<>@#{}]/g },
  email: { headline: 60, body: 500, forbiddenCharacters: /[<>]/g },
  page: { headline: 70, body: 900, forbiddenCharacters: /[<>]/g },
}
