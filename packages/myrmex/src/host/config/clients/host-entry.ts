/** The entry of the host in a client's file: a program that the client starts, or a URL. */
import { realpathSync } from 'node:fs'
import { ToolError } from '../../../protocol/errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import type { Client } from './known-clients.ts'

/** `as`: its name in the file, which some clients repeat in the entry. */
export function hostUrlEntry(client: Client, url: string, as: string): JsonObject {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw ToolError.of(
      'ValidationError',
      `--http needs the URL of the host, such as http://127.0.0.1:7350/mcp, not ${url}.`,
    )
  const entry = client.urlEntry(url)
  if (entry !== undefined) return named(entry, as)
  throw ToolError.of(
    'ValidationError',
    `${client.title} does not support URLs. Omit --http, so that it starts the host itself.`,
  )
}

/** `config`: the absolute path of myrmex.json. */
export function hostCommandEntry(client: Client, config: string, as: string): JsonObject {
  const [program, ...args] = ownCommand()
  return named(client.commandEntry(program, [...args, 'host', '--stdio', '--config', config]), as)
}

const named = (entry: JsonObject, as: string): JsonObject => ('name' in entry ? { ...entry, name: as } : entry)

/** Full paths, because a desktop client does not have the terminal's PATH. A copy in npx's cache is started through npx. */
export function ownCommand(): [program: string, ...args: string[]] {
  const script = realpathSync(process.argv[1] ?? '')
  return /[/\\]_npx[/\\]/.test(script) ? ['npx', '-y', 'myrmex'] : [process.execPath, script]
}
