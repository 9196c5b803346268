/** `myrmex operator` and deciding in a locked ledger as people type it: real processes in a real terminal. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { inTerminal, PTY, PTY_NOTE } from '@myrmex/testing/cli/pty'
import { visibleText } from '@myrmex/testing/cli/run-command'
import { LONG, longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { trustOwnTools } from '../../packages/dropship/src/start/initial-trust.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import {
  lockLedger,
  signDecisions,
  unlockSigner,
  unsignedDecisions,
} from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'
import { cliDecider } from '../../packages/myrmex/src/serve/cli-decider.ts'
import { KeyQueue, type SecretTerminal } from '../../packages/myrmex/src/serve/secret-terminal.ts'

vi.setConfig({ testTimeout: 120_000 })

const PASSPHRASE = 'correct horse battery'
const OTHER = 'quite another passphrase'
const SHOP = fixturePath('shop.tools.ts')
const { MYRMEX_TRUSTED_FOLDERS, MYRMEX_LEDGER } = process.env
const env = {
  PATH: process.env.PATH,
  MYRMEX_TRUSTED_FOLDERS,
  MYRMEX_LEDGER,
  NO_COLOR: '1',
  TZ: 'UTC',
  TERM: 'xterm',
  SHELL: '/bin/sh',
}

const tempFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-operator-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Types each answer when its question is there, and returns what the terminal showed. */
async function typed(folder: string, args: string[], answers: [question: string, answer: string][]) {
  const command = inTerminal([process.execPath, CLI, ...args], folder, env)
  for (const [index, [question, answer]] of answers.entries()) {
    const times = answers.slice(0, index + 1).filter(([same]) => same === question).length
    await vi.waitFor(
      () => {
        if (command.stdout.split(question).length - 1 < times)
          throw new Error(`not asked: ${question}\n${command.stdout}`)
      },
      { timeout: 60_000, interval: 20 },
    )
    command.type(`${answer}\r`)
  }
  const { code, stdout } = await command.ended
  return { code, text: visibleText(stdout) }
}

async function expectRefusedPassphrases(folder: string): Promise<void> {
  const short = await typed(folder, ['operator', 'init'], [['New passphrase', 'short']])
  expect(short).toMatchObject({ code: 1, text: expect.stringContaining('needs at least 12 characters') })
  const differ = await typed(
    folder,
    ['operator', 'init'],
    [
      ['New passphrase', PASSPHRASE],
      ['again', OTHER],
    ],
  )
  expect(differ).toMatchObject({ code: 1, text: expect.stringContaining('differ') })
}

async function expectWrongPassphrase(folder: string, decision: string[]): Promise<void> {
  const wrong = await typed(folder, decision, [
    ["The operator's passphrase", 'wrong passphrase'],
    ["The operator's passphrase", 'wrong again and again'],
    ["The operator's passphrase", 'and wrong once more'],
  ])
  expect(wrong).toMatchObject({ code: 1, text: expect.stringContaining('PermissionError: Wrong passphrase.') })
}

describe.skipIf(PTY === undefined)(`in a terminal${PTY_NOTE}`, () => {
  longTest('a ledger is locked; decisions ask for the passphrase; the key is replaced and removed', async () => {
    const folder = tempFolder()
    if (LONG) await expectRefusedPassphrases(folder)
    const trusted = ['trust', 'shop.refund', '--yes', '--ask', '--file', SHOP]
    // A decision of open mode, which the operator signs when the ledger is locked.
    expect(await typed(folder, trusted, [])).toMatchObject({ code: 0 })
    const locked = await typed(
      folder,
      ['operator', 'init'],
      [
        ['New passphrase', PASSPHRASE],
        ['again', PASSPHRASE],
        ['Sign them?', 'y'],
      ],
    )
    expect(locked.code, locked.text).toBe(0)
    expect(locked.text).toMatch(/fingerprint ([0-9a-f]{4} ){7}[0-9a-f]{4}/)
    expect(locked.text).toMatch(/trusted {2}shop\.refund .*\n.*1 decision signed/s)
    expect(locked.text).not.toContain(PASSPHRASE)
    const file = join(folder, '.myrmex/operator.key')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).not.toContain('PRIVATE')
    expect((await typed(folder, ['operator', 'init'], [])).text).toContain("has an operator's key already")

    expect((await typed(folder, ['trust', '--configured'], [])).text).toContain('nothing waits for your signature')

    if (LONG) await expectWrongPassphrase(folder, trusted)
    const right = await typed(folder, trusted, [["The operator's passphrase", PASSPHRASE]])
    expect(right).toMatchObject({ code: 0, text: expect.stringContaining('trusted  shop.refund') })

    const rotated = await typed(
      folder,
      ['operator', 'rotate'],
      [
        ["The operator's passphrase", PASSPHRASE],
        ['New passphrase', OTHER],
        ['again', OTHER],
      ],
    )
    expect(rotated).toMatchObject({ code: 0, text: expect.stringContaining('1 decision signed again') })
    expect((await typed(folder, ['operator', 'status'], [])).text).toContain('every decision is signed')
    const removed = await typed(
      folder,
      ['operator', 'remove'],
      [
        ['Unlock the ledger?', 'y'],
        ["The operator's passphrase", OTHER],
      ],
    )
    expect(removed).toMatchObject({ code: 0, text: expect.stringContaining('open mode') })
    expect(existsSync(file)).toBe(false)
    expect((await typed(folder, ['audit', 'verify'], [])).text).toMatch(/ledger|journal/i)
  })

  test('a call is shown and approved with the passphrase, once', async () => {
    const folder = tempFolder()
    const ledger = await openLedger(join(folder, '.myrmex/ledger.db'))
    const call = {
      tool: 'shop.pay',
      version: '1.0.0',
      hash: 'a'.repeat(64),
      args_hash: 'b'.repeat(64),
      principal: 'ann',
    }
    const { id } = await ledger.approvals.request(call, '{"amount":5}', 'it changes state')
    await lockLedger(ledger, PASSPHRASE, 'olga', 2 ** 14)
    await ledger.close()
    const command = inTerminal([process.execPath, CLI, 'approve', id], folder, env)
    await command.prints("The operator's passphrase, to sign this decision: ")
    command.type('a wrong passphrase\r')
    await command.prints(/The operator's passphrase[^\n]*\n/)
    command.type(`${PASSPHRASE}\r`)
    const { code, stdout } = await command.ended
    const text = visibleText(stdout)
    expect(code, text).toBe(0)
    // Typed while the first passphrase was checked.
    expect(text).not.toContain(PASSPHRASE)
    expect(text.indexOf('shop.pay 1.0.0 for ann with {"amount":5}')).toBeLessThan(
      text.indexOf("The operator's passphrase"),
    )
    const after = await openLedger(join(folder, '.myrmex/ledger.db'))
    expect(await after.approvals.use(call, 'call-1', '{"amount":5}')).toMatchObject({ id, signed_by: after.lock.keyId })
    await after.close()
  })
})

test('keys are read until Enter, with corrections, and shown only for answers that are no secret', async () => {
  const read = async (...chunks: (string | Buffer)[]): Promise<string | undefined> => {
    const input = new PassThrough()
    const secret = new KeyQueue(input, () => {}).line()
    for (const chunk of chunks) input.write(chunk)
    return secret
  }
  expect(await read('abc\r')).toBe('abc')
  expect(await read('ab', 'x\u007fc', '\n')).toBe('abc')
  expect(await read('wrong\u0015right\r')).toBe('right')
  expect(await read(Buffer.from('gr\u00fc'), Buffer.from([0xc3]), Buffer.from([0xbc]), '\r')).toBe('gr\u00fc\u00fc')
  expect(await read('abc\u0003')).toBeUndefined()
  expect(await read('\u0004')).toBeUndefined()

  const input = new PassThrough()
  const shown: string[] = []
  const interrupt = vi.fn()
  const keys = new KeyQueue(input, interrupt)
  input.write('first\rsecond\rthird')
  expect([await keys.line(), await keys.line()]).toEqual(['first', 'second'])
  const confirmed = keys.line((text) => shown.push(text))
  input.write('n\u007fy\r')
  expect(await confirmed).toBe('y')
  expect(shown).toEqual(['n', '\b \b', 'y'])
  expect(interrupt).not.toHaveBeenCalled()
  input.write('\u0003')
  await vi.waitFor(() => expect(interrupt).toHaveBeenCalled())
  input.end()
  expect(await keys.line()).toBeUndefined()
})

const lockedLedger = async () => {
  const address = join(tempFolder(), 'ledger.db')
  const ledger = await openLedger(address)
  await lockLedger(ledger, PASSPHRASE, 'olga', 2 ** 14)
  await ledger.close()
  const locked = await openLedger(address)
  onTestFinished(() => locked.close())
  return locked
}

test('setting up the shop in a locked ledger proposes trust, which waits for a signature', async () => {
  const ledger = await lockedLedger()
  const { refund } = await import(SHOP)
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  expect(await trustOwnTools(ledger, [refund], 'dropship start')).toEqual([])
  expect(said.mock.calls.join()).toContain('waits for your signature (npx myrmex operator sign)')
  said.mockRestore()
  expect(await ledger.trust.currentLevel(refund)).toBe('untrusted')
  const signer = await unlockSigner(ledger.lock, PASSPHRASE)
  await signDecisions(ledger, await unsignedDecisions(ledger), { name: 'olga', from: 'cli', signer })
  expect(await ledger.trust.currentLevel(refund)).toBe('trusted')
})

describe('who decides at the command line', () => {
  const terminal = (...answers: (string | undefined)[]): (() => Promise<SecretTerminal>) => {
    const rest = [...answers]
    return async () => ({ ask: async () => rest.shift(), tell: () => {}, close: () => {} })
  }
  test('has the key after the right passphrase, also at the second attempt', async () => {
    const ledger = await lockedLedger()
    const { signer } = await cliDecider(ledger, '', terminal('wrong passphrase', PASSPHRASE))
    expect(signer?.id).toBe(ledger.lock.keyId)
  })

  test('is nobody without a terminal, without a passphrase, or if the key is not here', async () => {
    const ledger = await lockedLedger()
    await expect(cliDecider(ledger, '', terminal(undefined))).rejects.toThrow('nothing was decided')
    rmSync(ledger.lock.file as string)
    await expect(cliDecider(ledger, '', terminal(PASSPHRASE))).rejects.toThrow('Restore the file from a backup')
  })
})
