/** Edits one entry of a client's file, whatever its format is. Everything else in the file stays byte for byte. */
import type { JsonObject } from '../../../protocol/json.ts'
import { type EditedText, setMember } from '../jsonc/edit-jsonc.ts'
import type { ClientFile } from './known-clients.ts'

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
