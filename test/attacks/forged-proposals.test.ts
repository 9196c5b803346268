/**
 * Attacker: somebody who can write to the whole store, without the key
 * Attack: writes trust and grants into a locked ledger under the name of `myrmex.json` or of a person, so that the operator signs them
 * with `trust --configured`, `operator sign`, `operator init` or `operator rotate`.
 * Stopped by: only decisions that the journal has are offered for a signature; other rows are reported as changed from outside.
 * `trust --configured` offers only what the file gives now, by the rule that the host applies.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { initOperator } from '../../packages/myrmex/src/cli/operator/init.ts'
import { rotateOperator } from '../../packages/myrmex/src/cli/operator/rotate.ts'
import { signConfigured, signUnsigned } from '../../packages/myrmex/src/cli/operator/sign.ts'
import type { ConfiguredTrust } from '../../packages/myrmex/src/host/settings.ts'
import { applyConfiguredTrust } from '../../packages/myrmex/src/host/trust/trust-from-config.ts'
import { verifyLedger } from '../../packages/myrmex/src/ledger/journal/verify.ts'
import type { Ledger } from '../../packages/myrmex/src/ledger/ledger.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { lockLedger, unlockSigner } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'
import { tool } from '../../packages/myrmex/src/tool/tool.ts'

const PASSPHRASE = 'correct horse battery'

const run = tool(
  {
    ...{ name: 'cmds.run_command', version: '1.0.0', description: 'Runs a command.', idempotent: false },
    ...{ input: { type: 'object' }, output: { type: 'object' }, errors: {}, destructive: true },
    ...{ security: 'none', examples: [], run: () => ({}) },
  },
  'upstream',
)
const DEFINITION = { tool: run.name, version: run.version, hash: run.hash }

let folder: string
let shown: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'myrmex-forged-'))
  shown = ''
  const { exitCode } = process
  const show = (text: unknown): boolean => {
    shown += String(text)
    return true
  }
  vi.spyOn(process.stdout, 'write').mockImplementation(show)
  vi.spyOn(process.stderr, 'write').mockImplementation(show)
  return () => {
    vi.restoreAllMocks()
    process.exitCode = exitCode
    rmSync(folder, { recursive: true, force: true })
  }
})

const options = () => ({ ledger: join(folder, 'ledger.db'), config: join(folder, 'myrmex.json') })
const configure = (trust: ConfiguredTrust): void =>
  writeFileSync(
    options().config,
    JSON.stringify({ mcpServers: { cmds: { command: 'x', env: { A: '\u0024{UNSET}' }, trust } } }),
  )
const opened = async (): Promise<Ledger> => {
  const ledger = await openLedger(options().ledger)
  onTestFinished(() => ledger.close().catch(() => {}))
  return ledger
}
const locked = async (): Promise<Ledger> => {
  const before = await opened()
  await lockLedger(before, PASSPHRASE, 'olga', 2 ** 14)
  await before.close()
  return opened()
}
/** What the attacker writes. */
const forge = async ({ db }: Ledger, by: string): Promise<void> => {
  await db.query(`UPDATE trust SET level = 'trusted', set_by = ?, set_at = set_at + 1 RETURNING 1 AS done`, [by])
  await db.query(
    `INSERT INTO grants (id, tool, version, hash, granted_by, granted_at) VALUES ('g-forged', ?, ?, ?, ?, 1) RETURNING 1 AS done`,
    [...Object.values(DEFINITION), by],
  )
}
/** A terminal at which somebody agrees to everything. */
const agree = async () => ({
  ask: async (question: string) => (question.includes('[y/N]') ? 'y' : PASSPHRASE),
  tell: () => {},
  close: () => {},
})
const expectUnsigned = async (): Promise<void> => {
  const ledger = await opened()
  expect(await ledger.trust.currentLevel(run)).toBe('untrusted')
  expect(await ledger.grants.covering(DEFINITION, 'ann')).toBeUndefined()
  expect(shown).toMatch(/2 rows of the ledger changed from outside/)
  const { defect } = await verifyLedger(ledger, { key: ledger.key })
  expect(defect?.message).toMatch(/^the row of (trust|grants) /)
}

test.each(['none', 'trusted'] as const)(
  'trust --configured does not offer them while the file says %s',
  async (trust) => {
    configure(trust)
    const ledger = await locked()
    await applyConfiguredTrust(ledger, [run], 'none')
    await forge(ledger, 'myrmex.json')
    await signConfigured(options(), agree)
    expect(shown).toContain('nothing waits for your signature')
    await expectUnsigned()
  },
)

test('operator sign does not offer them', async () => {
  const ledger = await locked()
  await applyConfiguredTrust(ledger, [run], 'none')
  await forge(ledger, 'olga')
  await signUnsigned(options(), agree)
  await expectUnsigned()
})

test('operator init does not offer them', async () => {
  const ledger = await opened()
  await applyConfiguredTrust(ledger, [run], 'none')
  await forge(ledger, 'olga')
  await ledger.close()
  await initOperator(options(), agree)
  await expectUnsigned()
})

test('operator rotate does not sign a grant again that was revoked and put back', async () => {
  const ledger = await locked()
  const by = { name: 'olga', from: 'cli', signer: await unlockSigner(ledger.lock, PASSPHRASE) } as const
  await ledger.grants.give(DEFINITION, by)
  await ledger.grants.revoke(run.name, 'olga')
  await ledger.close()
  const attacked = await opened()
  await attacked.db.query('UPDATE grants SET revoked_by = NULL, revoked_at = NULL RETURNING 1 AS done')
  await attacked.close()
  await rotateOperator(options(), agree)
  expect(shown).toMatch(/1 row of the ledger changed from outside.*0 decisions signed again/s)
  expect(await (await opened()).grants.covering(DEFINITION, 'ann')).toBeUndefined()
})

test('a decision of the file that the file does not give any more is not offered', async () => {
  const ledger = await locked()
  await applyConfiguredTrust(ledger, [run], 'trusted')
  configure('none')
  await signConfigured(options(), agree)
  expect(shown).toMatch(/does not give 2 decisions that the ledger has from it.*nothing waits/s)
  expect(await (await opened()).trust.currentLevel(run)).toBe('untrusted')
})

test('what the file gives is shown with its meaning and signed', async () => {
  configure('ask')
  const ledger = await locked()
  await applyConfiguredTrust(ledger, [run], 'ask')
  await signConfigured(options(), agree)
  // Lines that are wider than the screen are folded.
  const lines = shown.replaceAll(/\n {2}↳ /g, '')
  expect(lines).toMatch(/trusted {2}cmds\.run_command .* by myrmex\.json, .*: every call needs approval\n/)
  expect(shown).toContain('1 decision signed')
  expect(await (await opened()).trust.currentLevel(run)).toBe('trusted')
})
