/** The `myrmex` command on a ledger of its own in a folder of its own. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { fixturePath } from '../paths.ts'
import { type CommandEnd, runToEnd } from './run-to-end.ts'

export const SHOP = fixturePath('shop.tools.ts')

export type RunCommand = (args: readonly string[], env?: Record<string, string>) => Promise<CommandEnd>

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
  const myrmex: RunCommand = (args, env = {}) => runToEnd(args, { cwd: folder, env: { ...shared, ...env } })
  return { myrmex, ledger, address }
}
