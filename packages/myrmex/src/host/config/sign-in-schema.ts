/** `host.sign_in` of myrmex.json: the embedded issuer, with which people sign in to the host. */
import * as z from 'zod'
import { describedObject } from '../../pipeline/rules/operator-schema.ts'
import { isSafeUrl } from '../../protocol/loopback.ts'

export const SIGN_IN_DEFAULTS = {
  access_token_minutes: 10,
  refresh_token_days: 30,
  session_hours: 8,
  registration: true,
  metadata_documents: true,
} as const

export type SignInConfig = z.output<ReturnType<typeof signInSchema>>

const SCHEME = /^[a-z][a-z0-9+.-]{1,40}$/
/** Browsers and clients give these a meaning of their own. */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set(
  'http https javascript data vbscript file blob about ws wss ftp mailto'.split(' '),
)

/** An origin: https, or http on this machine. */
function isOwnUrl(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') return false
  return isSafeUrl(url)
}

export const signInSchema = () =>
  describedObject(
    {
      issuer: z.literal('embedded', { error: 'must be embedded; for an issuer of your own, use jwt of the policy' }),
      url: z
        .string()
        .refine(isOwnUrl, { error: 'must be https://HOST without a path, or http on 127.0.0.1 or localhost' })
        .transform((text) => new URL(text).origin)
        .optional(),
      access_token_minutes: z.int().min(1).max(60).default(SIGN_IN_DEFAULTS.access_token_minutes),
      refresh_token_days: z.int().min(1).max(365).default(SIGN_IN_DEFAULTS.refresh_token_days),
      session_hours: z.int().min(1).max(720).default(SIGN_IN_DEFAULTS.session_hours),
      registration: z.boolean().default(SIGN_IN_DEFAULTS.registration),
      metadata_documents: z.boolean().default(SIGN_IN_DEFAULTS.metadata_documents),
      redirect_schemes: z
        .array(
          z.string().refine((one) => SCHEME.test(one) && !FORBIDDEN_SCHEMES.has(one), {
            error: 'must be the URI scheme of a desktop application, such as cursor',
          }),
        )
        .default([]),
    },
    {
      issuer: 'embedded: the host issues tokens itself, to users that you invite. Every caller then needs a token.',
      url: 'The URL that clients and browsers use for this host, such as https://tools.example. Default: http, the address and the port.',
      access_token_minutes: 'How long an access token lasts. Clients renew it by themselves. Default: 10.',
      refresh_token_days: 'After how many days without use a client must ask its user to sign in again. Default: 30.',
      session_hours: 'How long a browser stays signed in. Default: 8.',
      registration: 'Whether clients may register themselves (RFC 7591). Default: true.',
      metadata_documents:
        'Whether clients may name the URL of a document about themselves instead of registering. Default: true.',
      redirect_schemes:
        'Desktop applications that receive the answer at a URL of their own, such as cursor://…: the schemes that you allow. Default: none. ' +
        'https and loopback addresses are always allowed.',
    },
  )
