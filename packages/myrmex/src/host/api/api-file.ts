/**
 * `api.json` in the host's folder: the address and token of the running host, for the CLI and the console of the same user. It exists
 * while the host runs, and only its owner can read it.
 */
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod'
import { writeFileAtomically } from '../../ledger/write-file.ts'
import { parseJson } from '../../protocol/json.ts'

const ApiFile = z.object({
  url: z.url({ protocol: /^https?$/ }),
  /** locked: it only reads the status of the host */
  token: z.string().min(1),
  pid: z.int().positive(),
  mode: z.enum(['open', 'locked']).optional(),
})
/** `url` is the API's URL: http://127.0.0.1:7350/api */
export type ApiFile = z.infer<typeof ApiFile>

const pathIn = (folder: string): string => join(folder, 'api.json')

/** Written atomically. Returns a function that removes it, unless another host has replaced it. */
export async function writeApiFile(folder: string, content: ApiFile): Promise<() => Promise<void>> {
  const path = pathIn(folder)
  await writeFileAtomically(path, `${JSON.stringify(content, null, 2)}\n`)
  return async () => {
    if ((await readApiFile(folder))?.token === content.token) await rm(path, { force: true })
  }
}

/** Returns undefined if the file is missing or malformed. After a kill it may be stale: check `pid`. */
export async function readApiFile(folder: string): Promise<ApiFile | undefined> {
  const text = await readFile(pathIn(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return ''
  })
  return ApiFile.safeParse(parseJson(text)).data
}
