/** `myrmex folder trust`, `list` and `forget`: what this user's Myrmex believes on this machine. */
import { existsSync, realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import { ToolError } from '../../protocol/errors.ts'
import { plural } from '../../protocol/text.ts'
import { describeContents } from '../../serve/folder-contents.ts'
import { forgetFolder, knownFolders, registryFolder } from '../../serve/folder-registry.ts'
import { trustFolder } from '../../serve/folder-trust.ts'
import { foreignLines } from '../../serve/foreign-text.ts'
import { oneLine, print } from '../../serve/terminal.ts'
import { readableJson } from '../../tool/text/readable-json.ts'

export async function trust(path: string): Promise<void> {
  if (!existsSync(path)) throw ToolError.of('FileNotFoundError', `${resolve(path)} does not exist.`)
  const contents = await describeContents(realpathSync(path))
  if (contents.length > 0) print(foreignLines(contents).join('\n'))
  try {
    const trusted = await trustFolder(path)
    const count = trusted.ledgers.length
    print(`trusted ${oneLine(trusted.path)}${count === 0 ? '' : ` with ${plural(count, 'ledger')}`}`)
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw ToolError.of(
      'UnavailableError',
      `The folder cannot be recorded in ${registryFolder() ?? 'your home folder'}: ${(error as Error).message}. ` +
        'Set XDG_CONFIG_HOME to a folder that only you can write, or MYRMEX_TRUSTED_FOLDERS.',
    )
  }
}

export async function list({ json }: { json?: boolean }): Promise<void> {
  const folders = knownFolders()
  if (json) return print(readableJson(folders))
  if (folders.length === 0) return print('no folders yet')
  for (const { path, how, since } of folders) print(`${oneLine(path)}  ${how} ${since.slice(0, 10)}`)
}

export async function forget(path: string): Promise<void> {
  const real = existsSync(path) ? realpathSync(path) : resolve(path)
  if (!forgetFolder(real)) throw ToolError.of('ValidationError', `${real} was not trusted. See: npx myrmex folder list`)
  print(`forgot ${oneLine(real)}`)
}
