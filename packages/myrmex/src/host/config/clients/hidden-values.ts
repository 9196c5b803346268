/**
 * Values in a client's file that no preview shows: every value of a variable or header, secret or not, because none of them is needed to
 * understand a change, and what looks secret in arguments and URLs.
 */
import { isObject } from '../../../protocol/json.ts'
import { secretsInArgs, secretsInUrl } from '../secrets/embedded-secrets.ts'
import { parseClientText, serverBlock } from './client-servers.ts'
import type { ClientFile } from './known-clients.ts'

export async function hiddenValues(text: string | undefined, file: ClientFile): Promise<string[]> {
  if (text === undefined || text.trim() === '') return []
  const servers = serverBlock(await parseClientText(text, file.path, file.format), file.block)
  return isObject(servers) ? Object.values(servers).flatMap(valuesOf) : []
}

function valuesOf(entry: unknown): string[] {
  if (!isObject(entry)) return []
  const { env, environment, envs, headers, http_headers, command, args, url, serverUrl, httpUrl, uri } = entry
  const blocks = [env, environment, envs, headers, http_headers, isObject(command) ? command.env : undefined]
  const words = [isObject(command) ? command.args : command, args].flat().filter((word) => typeof word === 'string')
  return [
    ...blocks
      .flatMap((block) => (isObject(block) ? Object.values(block) : []))
      .filter((value) => typeof value === 'string'),
    ...secretsInArgs(words),
    ...[url, serverUrl, httpUrl, uri].flatMap((one) => (typeof one === 'string' ? secretsInUrl(one) : [])),
  ].filter((value) => value !== '')
}
