/** Where a server of a client's file is, in one line for people. Anything that looks secret is left out. */
import { basename } from 'node:path'
import type { JsonObject } from '../../../protocol/json.ts'
import { SECRET } from '../../../protocol/secret.ts'
import { secretsInArgs } from '../secrets/embedded-secrets.ts'

/** `npx -y @scope/server`, or a URL without credentials and query. */
export function endpointText({ command, args, url }: JsonObject): string {
  if (typeof url === 'string') {
    const parsed = URL.parse(url)
    return parsed === null ? 'a URL with variables in it' : `${parsed.origin}${parsed.pathname}`
  }
  const words = Array.isArray(args) ? args.map(String) : []
  const secrets = secretsInArgs(words)
  const shown = words.map((word) => secrets.reduce((text, secret) => text.replaceAll(secret, SECRET), word))
  return [basename(String(command)), ...shown].join(' ')
}
