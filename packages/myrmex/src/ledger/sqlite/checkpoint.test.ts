import { statSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { auditLine } from '@myrmex/testing/ledger/audit-chain'
import { expect, test, vi } from 'vitest'
import { openLedger } from '../open.ts'

test('what the log has gathered is moved into the file while calls go on, and none of them fails for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'myrmex-checkpoint-'))
  const path = join(folder, 'ledger.db')
  const failures: unknown[] = []
  const ledger = await openLedger(path, { onFailure: (error) => failures.push(error) })
  try {
    const before = statSync(path).size
    let written = 0
    const write = (): void => {
      const kept = ledger.audit.record(auditLine(`${written++}`, { args: { text: 'x'.repeat(60_000) } }))
      if (kept !== undefined && 'commit' in kept) kept.commit()
    }
    // Some 40 MB: enough for the thread, and far from where the writer would move it itself. The connection stays open.
    while (written < 650) write()
    await vi.waitFor(
      () => {
        write()
        expect(statSync(path).size).toBeGreaterThan(before + 16 * 1024 * 1024)
      },
      { timeout: 15_000, interval: 10 },
    )
    await ledger.audit.flush()
    const [row] = await ledger.db.query<{ found: number }>('SELECT sum(line_count) AS found FROM audit_groups')
    expect(row?.found).toBe(written)
    expect(failures).toEqual([])
  } finally {
    await ledger.close()
    await rm(folder, { recursive: true })
  }
})
