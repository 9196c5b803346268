/** Chooses a client's file, and edits one entry of it, whatever its format is. Everything else in the file stays byte for byte. */
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { ToolError } from '../../../protocol/errors.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { type EditedText, setMember } from '../jsonc/edit-jsonc.ts'
import type { Client, ClientFile, Machine } from './known-clients.ts'

/** Undefined removes it. Throws ValidationError if the file is malformed, or cannot be edited there. */
export async function setClientEntry(
  text: string,
  { path, block, format }: ClientFile,
  name: string,
  wanted: JsonObject | undefined,
): Promise<EditedText> {
  const steps = [...block, name]
  if (format === 'toml') return (await import('../toml/edit-toml.ts')).setTable(text, path, steps, wanted)
  if (format === 'yaml') return (await import('../yaml/edit-yaml.ts')).setMapping(text, path, steps, wanted)
  return setMember(text, path, steps, wanted)
}

/** A client may read several files: one that exists is preferred. `file` names one instead. */
export function chooseClientFile(
  client: Client,
  machine: Machine,
  { project, file }: { project?: boolean; file?: string },
): ClientFile {
  const all = client.files(machine)
  const scope = project ? 'project' : 'user'
  const fitting = all.filter((one) => one.scope === scope)
  const found = fitting.find((one) => existsSync(one.path)) ?? fitting[0]
  if (file !== undefined)
    return { ...(found ?? all[0]), path: resolve(file), scope, block: (found ?? all[0])?.block ?? ['mcpServers'] }
  if (found === undefined) throw ToolError.of('ValidationError', `${client.title} has no project file.`)
  return found
}
