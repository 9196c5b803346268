/** `@modelcontextprotocol/inspector --cli`: a command that connects, does one thing, prints it and exits. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import type { Target } from '../tapped-server.ts'

const BIN = fileURLToPath(new URL('../../../node_modules/.bin/mcp-inspector', import.meta.url))

export interface Inspected {
  code: number
  /** what it printed on stdout, if anything */
  result: Record<string, unknown> | undefined
  /** its own account of why it did not exit 0 */
  error: { code: string; message: string } | undefined
}

export async function inspect(
  target: Target,
  era: 'legacy' | 'modern' | 'auto',
  method: string,
  ...options: string[]
): Promise<Inspected> {
  const where = target.kind === 'http' ? [target.url, '--transport', 'http'] : [target.command, ...target.args]
  const how = ['--protocol-era', era, '--format', 'json', '--quiet', '--method', method]
  // It keeps a catalogue in the home folder: not in the tester's.
  const child = spawn(process.execPath, [BIN, '--cli', ...where, ...how, ...options], {
    env: { ...process.env, HOME: tmpdir() },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [printed, said, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return {
    code,
    result: printed === '' ? undefined : JSON.parse(printed).result,
    // Warnings may stand before it; it is the last line and the only JSON.
    error: code === 0 ? undefined : JSON.parse(said.trim().split('\n').at(-1) as string).error,
  }
}
