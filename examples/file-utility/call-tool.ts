/** For the tests: the tool served in this process from a base directory of one's choice, called by messages. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tool, ToolResult } from 'myrmex'
import { onTestFinished, vi } from 'vitest'

interface Data {
  file_content: string
  chars_read: number
  encoding_used: string
}
export type Result = Omit<ToolResult, 'data'> & { data: Data | null }
export type ReadFile = (args: Record<string, unknown>) => Promise<Result>

interface Answered {
  result: {
    isError?: boolean
    structuredContent: object
    _meta: Record<string, { status: string; explanation: string }>
  }
}

/** A directory of its own for a test, gone after it; or after all of a file, with afterAll. */
export function temporaryFolder(after: (clean: () => void) => void = onTestFinished): string {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'file-utility-')))
  after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** Loads the module again, because it reads base directory and platform once. */
export async function load(base: string, platform: string = process.platform): Promise<{ tool: Tool; read: ReadFile }> {
  const here = process.platform
  vi.resetModules()
  vi.stubEnv('MYRMEX_FILE_BASE', base)
  Object.defineProperty(process, 'platform', { value: platform })
  try {
    const { readFileContent: tool } = await import('./file-utility.tools.ts')
    return { tool, read: await caller(tool) }
  } finally {
    Object.defineProperty(process, 'platform', { value: here })
    vi.unstubAllEnvs()
  }
}

export const serve = async (base: string, platform?: string): Promise<ReadFile> => (await load(base, platform)).read

async function caller(tool: Tool): Promise<ReadFile> {
  const { connectDirect, createServer } = await import('myrmex')
  const observe = ({ thrown }: { thrown: unknown }): void => {
    throw thrown
  }
  const connection = connectDirect(createServer({ name: 'test', version: '1.0.0', tools: [tool], observe }))
  const clientInfo = { name: 'test', version: '1.0.0' }
  await connection.send({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  })
  let id = 0
  return async (args) => {
    const params = { name: 'file_utility.read_file_content', arguments: args }
    const reply = await connection.send({ jsonrpc: '2.0', id: ++id, method: 'tools/call', params })
    const { isError, structuredContent, _meta } = (reply as unknown as Answered).result
    const own = _meta['myrmex/result']
    return {
      status: own?.status,
      data: isError ? null : structuredContent,
      error: isError ? structuredContent : null,
      explanation: own?.explanation ?? null,
    } as Result
  }
}
