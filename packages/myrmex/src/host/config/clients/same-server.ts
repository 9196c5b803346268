/**
 * Whether an entry of myrmex.json is the server that an import made of a client's entry: the same program or URL with the same values. A
 * secret may be elsewhere now, so what it is read from is compared.
 */
import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject, valueAtPath } from '../../../protocol/json.ts'
import { readTextFile } from '../read-text.ts'

const MAX_BYTES = 64 * 1024

/** `folder`: of myrmex.json. */
export async function isSameServer(known: unknown, entry: JsonObject, folder: string): Promise<boolean> {
  if (!isObject(known)) return false
  const endpointOf = ({ command, args = [], cwd, url }: Record<string, unknown>): unknown => [command, args, cwd, url]
  if (!isDeepStrictEqual(endpointOf(known), endpointOf(entry))) return false
  for (const block of ['env', 'headers'] as const) {
    const own = entry[block]
    for (const [name, value] of Object.entries(isObject(own) ? own : {})) {
      if (!(await isSameValue(valueAtPath(known, [block, name]), value, folder))) return false
    }
  }
  return true
}

async function isSameValue(known: unknown, value: unknown, folder: string): Promise<boolean> {
  if (isDeepStrictEqual(known, value)) return true
  if (!isObject(known)) return false
  const secret = await secretOf(known, folder)
  return secret === undefined || `${String(known.prefix ?? '')}${secret.trim()}` === value
}

/** Undefined: nobody knows it here. */
async function secretOf(known: Record<string, unknown>, folder: string): Promise<string | undefined> {
  if (typeof known.from_file === 'string')
    return (await readTextFile(resolve(folder, known.from_file), MAX_BYTES).catch(() => undefined)) ?? 'not there'
  return typeof known.from_env === 'string' ? process.env[known.from_env] : undefined
}
