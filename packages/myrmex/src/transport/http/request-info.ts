/**
 * What a tool may see of the HTTP request behind its call: `ctx.request`. Made on first use. Headers that may carry credentials are left
 * out, because a tool, its logs and its results are no place for them.
 */
import type { IncomingMessage } from 'node:http'
import { getOrMake } from '../../protocol/get-or-make.ts'
import { suggestsSecret } from '../../protocol/secret.ts'
import type { RequestInfo } from '../../tool/context.ts'

const known = new WeakMap<IncomingMessage, RequestInfo>()

export const requestInfo = (request: IncomingMessage): RequestInfo => getOrMake(known, request, make)

/** A word of a header's name that says that it proves who sends it. */
const CREDENTIAL = /(^|-)(auth|authentication|key|jwt|session|sid|signature|sig|assertion|ticket|oidc|saml)(-|$)/

const isCredential = (name: string): boolean => suggestsSecret(name) || CREDENTIAL.test(name)

/** What may be secret in the headers, to remove it from other texts: whole values, and the part after a scheme such as Bearer. */
export const credentialTexts = ({ headers }: IncomingMessage): string[] =>
  Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || !isCredential(name)) return []
    return [value].flat().flatMap((text) => [text, text.slice(text.indexOf(' ') + 1)])
  })

function make({ headers, socket }: IncomingMessage): RequestInfo {
  const shown: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !isCredential(name)) shown[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return Object.freeze({ headers: Object.freeze(shown), remoteAddress: socket.remoteAddress })
}
