/** The field `auth` of a server at a URL: how the host signs in to it, and what that becomes as settings. */
import * as z from 'zod'
import { withDescription } from '../../pipeline/rules/operator-schema.ts'
import { isSafeUrl } from '../../protocol/loopback.ts'
import type { AuthSettings } from '../settings.ts'

const GRANTS = ['authorization_code', 'device', 'client_credentials'] as const

const AUTH_HINT =
  'How the host signs in to the server. Default: with OAuth if the server asks for it, after npx myrmex host login NAME, unless headers ' +
  'has an Authorization. none: never.'

const isSafeAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && isSafeUrl(url)
}

/** `secret` is the schema of a value that may be a secret. */
export function authSchema<Secret extends z.ZodType>(secret: Secret) {
  const settings = z
    .strictObject({
      grant: withDescription(
        z.enum(GRANTS, { error: `must be one of ${GRANTS.join(', ')}` }).optional(),
        'authorization_code (default): a person signs in with a browser. device: a person types a code on any device. ' +
          'client_credentials: the host has an account of its own, and nobody signs in.',
      ),
      client_id: withDescription(
        z.string().min(1).optional(),
        'The client that you registered with the issuer. Default: the host registers one.',
      ),
      client_secret: withDescription(secret.optional(), 'The secret of client_id, if it has one.'),
      client_metadata_url: withDescription(
        z
          .string()
          .refine((text) => URL.parse(text)?.protocol === 'https:' && URL.parse(text)?.pathname !== '/', {
            error: 'must be an https URL with a path',
          })
          .optional(),
        'URL of a client id metadata document that you publish. Used if the issuer supports such documents.',
      ),
      scopes: withDescription(
        z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, { error: 'is not a scope of OAuth' })).optional(),
        'What to ask for. Default: what the server asks for.',
      ),
      issuer: withDescription(
        z.string().refine(isSafeAddress, { error: 'must be an https URL' }).optional(),
        'The only authorization server that is accepted. Default: the first that the server names. Required with client_secret.',
      ),
      redirect_port: withDescription(
        z.int().min(1).max(65_535).optional(),
        'The port on 127.0.0.1 that the browser comes back to. Default: the port of the host.',
      ),
      per_caller: withDescription(
        z.boolean().optional(),
        'True: calls use the account of their caller, for whom you sign in with --for. Your own sign-in is for the list of tools.',
      ),
    })
    .superRefine((given, ctx) => {
      const wrong = (path: string, message: string): void => ctx.addIssue({ code: 'custom', path: [path], message })
      if (given.client_secret !== undefined && given.client_id === undefined)
        wrong('client_secret', 'belongs to client_id, and there is none')
      // A server names its issuer, and could name one of its own to be sent the secret.
      if (given.client_secret !== undefined && given.issuer === undefined)
        wrong(
          'client_secret',
          'needs issuer: it is sent to the issuer that you name, and not to one that the server names',
        )
      if (given.client_id !== undefined && given.client_metadata_url !== undefined)
        wrong('client_metadata_url', 'contradicts client_id; use one of them')
      if (given.grant === 'client_credentials' && given.per_caller === true)
        wrong('per_caller', 'contradicts client_credentials, with which nobody signs in')
      if (given.grant === 'client_credentials' && (given.client_id === undefined || given.client_secret === undefined))
        wrong('grant', 'is client_credentials, which needs client_id and client_secret')
    })
  return withDescription(
    z.union([z.literal('none'), settings], { error: 'must be "none" or an object' }).optional(),
    AUTH_HINT,
  )
}

interface Configured {
  readonly grant?: AuthSettings['grant'] | undefined
  readonly client_id?: string | undefined
  readonly client_metadata_url?: string | undefined
  readonly scopes?: readonly string[] | undefined
  readonly issuer?: string | undefined
  readonly redirect_port?: number | undefined
  readonly per_caller?: boolean | undefined
}

/** `expand` replaces variables; its second argument is the field. */
export function authSettings(
  { grant, client_id, client_metadata_url, scopes, issuer, redirect_port, per_caller }: Configured,
  expand: (text: string, field: string) => string,
  clientSecret: string | undefined,
): AuthSettings {
  return {
    grant: grant ?? 'authorization_code',
    ...(client_id !== undefined && { clientId: expand(client_id, 'client_id') }),
    ...(clientSecret !== undefined && { clientSecret }),
    ...(client_metadata_url !== undefined && { clientMetadataUrl: client_metadata_url }),
    ...(scopes !== undefined && { scopes }),
    ...(issuer !== undefined && { issuer }),
    ...(redirect_port !== undefined && { redirectPort: redirect_port }),
    ...(per_caller === true && { perCaller: true }),
  }
}
