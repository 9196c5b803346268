/** `myrmex host add|remove|enable|disable`: edits myrmex.json. A running host applies the change by itself. */
import { dirname, resolve } from 'node:path'
import {
  applyEdit,
  configuredServers,
  hostName,
  planAdding,
  removeServers,
  switchServer,
} from '../../host/config/edit-host-file.ts'
import { HOST_FILE } from '../../host/config/read-host-file.ts'
import { type SecretStorage, secretFilesOf } from '../../host/config/secrets/moved-secrets.ts'
import type { ConfiguredTrust } from '../../host/settings.ts'
import { ToolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { requireFolder } from '../../serve/folder-trust.ts'
import { print, say } from '../../serve/terminal.ts'
import { showStored } from './stored-secrets.ts'

export interface AddServerOptions {
  config?: string
  url?: string
  env?: string[]
  header?: string[]
  cwd?: string
  trust?: ConfiguredTrust
  secrets?: SecretStorage
}

export async function addServer(name: string, command: readonly string[], options: AddServerOptions): Promise<void> {
  const path = await fileOf(options)
  const { trust = 'none', secrets = 'files' } = options
  const edit = await planAdding(path, [{ name, entry: entryOf(name, command, options) }], { trust, secrets })
  report(await applyEdit(edit), `${name} is now in ${path}`)
  showStored(edit)
  if (trust === 'none') print('Its tools cannot be called until you trust them: npx myrmex trust status')
}

function entryOf(name: string, [program, ...args]: readonly string[], options: AddServerOptions): JsonObject {
  const { url, env = [], header = [], cwd } = options
  if ((url === undefined) === (program === undefined))
    throw ToolError.of(
      'ValidationError',
      `Give a command or a URL: myrmex host add ${name} -- npx -y SERVER, or myrmex host add ${name} --url https://…`,
    )
  if (url !== undefined)
    return { url, ...(header.length > 0 && { headers: pairs(header, /^([^:=]+)[:=]\s*(.*)$/s, '--header') }) }
  return {
    command: program as string,
    ...(args.length > 0 && { args: [...args] }),
    ...(env.length > 0 && { env: pairs(env, /^([^=]+)=(.*)$/s, '--env') }),
    ...(cwd !== undefined && { cwd }),
  }
}

function pairs(given: readonly string[], pattern: RegExp, option: string): JsonObject {
  return Object.fromEntries(
    given.map((text) => {
      const [, name, value] = pattern.exec(text) ?? []
      // The text may be a secret.
      if (name === undefined || value === undefined)
        throw ToolError.of('ValidationError', `${option} needs a name and a value, such as ${option} NAME=VALUE.`)
      return [name.trim(), value]
    }),
  )
}

export async function removeServer(names: readonly string[], options: { config?: string }): Promise<void> {
  const path = await fileOf(options)
  const known = await configuredServers(path)
  const files = secretFilesOf(
    dirname(resolve(path)),
    names.map((name) => known.get(hostName(name))?.entry),
  )
  report(
    await removeServers(path, names),
    `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} no longer in ${path}`,
  )
  // They may be the only copy of a secret, and the backup refers to them.
  for (const file of files) say(`its secret is still in ${file}; delete the file if you no longer need it`)
}

export async function setEnabled(name: string, isEnabled: boolean, options: { config?: string }): Promise<void> {
  const path = await fileOf(options)
  const backup = await switchServer(path, name, isEnabled)
  report(backup, `${name} is ${backup === undefined ? 'already ' : ''}${isEnabled ? 'enabled' : 'disabled'} in ${path}`)
}

async function fileOf({ config }: { config?: string }): Promise<string> {
  const path = config ?? HOST_FILE
  await requireFolder(dirname(resolve(path)))
  return path
}

function report(backup: string | undefined, line: string): void {
  if (backup !== undefined) say(`a backup is in ${backup}`)
  print(line)
}
