/** The `myrmex` command as a real process, on a ledger of its own in a folder of its own. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { CLI, fixturePath } from '../paths.ts'

export const SHOP = fixturePath('shop.tools.ts')

export interface CommandResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export type RunCommand = (args: readonly string[], env?: Record<string, string>) => Promise<CommandResult>

/** The command on a fresh ledger, and the ledger. Both are gone when the test is over. */
export async function commandOnLedger(): Promise<{ myrmex: RunCommand; ledger: Ledger; address: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-command-'))
  const address = join(folder, 'ledger.db')
  const ledger = await openLedger(address)
  onTestFinished(async () => {
    await ledger.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const shared = { ...process.env, NO_COLOR: '1', TZ: 'UTC', MYRMEX_LEDGER: address }
  const myrmex: RunCommand = (args, env = {}) =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [CLI, ...args],
        { cwd: folder, env: { ...shared, ...env } },
        (error, stdout, stderr) =>
          resolve({ code: Number((error as { code?: number } | null)?.code ?? 0), stdout, stderr }),
      )
      child.stdin?.end()
    })
  return { myrmex, ledger, address }
}
