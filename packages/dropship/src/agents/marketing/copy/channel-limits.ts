/**
 * Where words are shown, and how long they may be there before somebody cuts them. Sources, looked up in 2026: Meta's ads guide
 * shows 125 characters of primary text and 40 of a headline in the feeds; TikTok Ads Manager takes 1 to 100 characters of ad text
 * and 40 of a display name, and no @ or # in it; mail programs show some 60 characters of a subject. The rest is ours.
 */
export const CHANNELS = ['facebook', 'instagram', 'tiktok', 'email', 'page'] as const
export type Channel = (typeof CHANNELS)[number]

/** What is written for when nobody says where: the places where campaigns run. */
export const AD_CHANNELS: readonly Channel[] = ['facebook', 'instagram', 'tiktok']

export interface ChannelLimits {
  /** characters */
  readonly headline: number
  readonly body: number
  /** marks that the place does not take */
  readonly forbiddenCharacters: RegExp
}

export const CHANNEL_LIMITS: Readonly<Record<Channel, ChannelLimits>> = {
  facebook: { headline: 40, body: 125, forbiddenCharacters: /[<>]/g },
  instagram: { headline: 40, body: 125, forbiddenCharacters: /[<>]/g },
  tiktok: { headline: 40, body: 100, forbiddenCharacters: /[<>@#{}]/g },
  email: { headline: 60, body: 500, forbiddenCharacters: /[<>]/g },
  page: { headline: 70, body: 900, forbiddenCharacters: /[<>]/g },
}
