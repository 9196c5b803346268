/**
 * The attacker chooses the arguments of a call, or the texts of a definition, so that the screen on which a person decides shows something
 * else: blanks push the real command off the screen and a copy of our lines takes its place, wide characters move text of the attacker to
 * the first column, and long values hide their harmful part behind a cut.
 *
 * What stops them: every text of others is written by one renderer (`serve/foreign-text.ts`). Each of its screen lines begins with a mark
 * of ours, blanks are counted instead of drawn, and nothing is cut where a person decides. The tool, the id and the hash are repeated above the question.
 *
 * Attacker: a remote caller
 * Attack: fills the arguments of a call with blanks, wide characters and a copy of our lines, so that the approve screen shows another
 * call than the one that is signed.
 * Stopped by: every screen line of a caller's text begins with a mark of ours, blanks are counted, the tool, the id, the length and the
 * hash are printed again above the question, and a call with more lines than the screen needs its id typed.
 *
 * Attacker: a model
 * Attack: hides the harmful part of a step behind the cut of a long value, or writes a value that looks like a result of an earlier step.
 * Stopped by: plans and steps are approved as exact JSON, whole. A list that cuts says how long the arguments are and which command shows
 * them.
 *
 * Attacker: an upstream server over the wire
 * Attack: writes a description that pushes its own beginning off the screen, or continues as one of our lines.
 * Stopped by: the same renderer, and a definition with more lines than the screen needs its name typed.
 */
import { commandOnLedger } from '@myrmex/testing/cli/command-on-ledger'
import { COLUMNS, captureScreen, ROWS } from '@myrmex/testing/cli/screen'
import { refund } from '@myrmex/testing/fixtures/shop.tools'
import { ledgerFile } from '@myrmex/testing/gated-server'
import { describe, expect, test } from 'vitest'
import { decideApprovals } from '../../packages/myrmex/src/cli/approvals/decide.ts'
import { listApprovals, showApprovals } from '../../packages/myrmex/src/cli/approvals/show.ts'
import { planCalls } from '../../packages/myrmex/src/cli/run/plan-text.ts'
import { presentTool } from '../../packages/myrmex/src/cli/trust/present-tool.ts'
import { type TrackedTool, trackedTools } from '../../packages/myrmex/src/ledger/decisions/tracked-tools.ts'
import { openLedger } from '../../packages/myrmex/src/ledger/open.ts'
import { lockLedger } from '../../packages/myrmex/src/ledger/operator/operator-admin.ts'
import { canonical } from '../../packages/myrmex/src/protocol/canonical.ts'

const PASSPHRASE = 'correct horse battery'
const EVIL = 'touch /tmp/EVIL; exit 0; '
const FAKE = `k7w2mzq4tp: cmds.run_command 0.0.0 for local with {'command':'ls -l'`

let count = 0
async function waiting(ledger: Awaited<ReturnType<typeof commandOnLedger>>['ledger'], args: object) {
  const { name, version, hash } = refund
  return ledger.approvals.request(
    { tool: name, version, hash, args_hash: `${++count}f2a91bc04d5e6f7aaaa`, principal: 'local' },
    canonical(args),
    'it changes state',
  )
}

/** The attacker does not know where a line begins, and tries every column. */
const blankScreens = (evil: string, shift: number): string =>
  `${evil}${' '.repeat(COLUMNS * 40 + shift)}root@vm:~# npx myrmex approve${' '.repeat(COLUMNS - 29)}${FAKE}`

/** Lines that a reader could take for ours: they have no mark. */
const unmarked = (lines: readonly string[]): string[] => lines.filter((line) => !/^ {2}[│↳] /.test(line))

describe('the approve screen', () => {
  const approve = async (args: object, ...answers: string[]) => {
    const file = ledgerFile()
    const open = await openLedger(file.path)
    await lockLedger(open, PASSPHRASE, 'olga', 2 ** 14)
    await open.close()
    const ledger = await openLedger(file.path)
    const { id } = await waiting(ledger, args)
    const screen = captureScreen()
    const asked: string[] = []
    const terminal = {
      ask: async (question: string) => {
        asked.push(question)
        return answers.shift()
      },
      tell: () => {},
      close: () => {},
    }
    const error = await decideApprovals('approve', [id], { ledger: file.path }, { open: async () => terminal }).catch(
      (thrown: Error) => thrown,
    )
    const status = (await ledger.approvals.find(id))?.status
    await ledger.close()
    return { id, status, asked, error, screen }
  }

  test('shows the command that is signed, and no blank screen before a false one', async () => {
    for (const shift of [0, 17, 43]) {
      const { id, screen, status } = await approve({ command: blankScreens(EVIL, shift) }, PASSPHRASE)
      expect(status).toBe('approved')
      const seen = screen.visible().join('\n')
      expect(seen).toContain(EVIL.trim())
      expect(seen).toContain(id)
      expect(unmarked(screen.lines()).join('\n')).not.toMatch(/root@vm|k7w2mzq4tp|run_command/)
    }
  })

  test('names the call again below its arguments', async () => {
    const { id, screen } = await approve({ command: 'x'.repeat(1200) }, PASSPHRASE)
    const lines = screen.lines()
    const end = lines.findLastIndex((line) => /^ {2}[│↳] /.test(line))
    const below = lines.slice(end + 1).join('\n')
    expect(below).toMatch(new RegExp(`${id}: shop\\.refund 1\\.0\\.0 for local`))
    expect(below).toMatch(/1,214 characters/)
    expect(below).toMatch(/\df2a91bc04d5e6f7/)
  })

  test('needs the id of a call that has more lines than the screen, besides the passphrase', async () => {
    const args = { command: Array.from({ length: 60 }, (_, line) => `echo ${line}`).join('\n') }
    const refused = await approve(args, 'y', PASSPHRASE)
    expect(refused.status).toBe('waiting')
    expect(refused.asked[0]).toContain('lines')
    expect(refused.screen.lines().length).toBeGreaterThan(ROWS)
  })

  test('is there before the decision in open mode too, and a person at the terminal is asked', async () => {
    const { ledger, address } = await commandOnLedger()
    const screen = captureScreen()
    const long = { command: 'echo\n'.repeat(60) }
    const decide = async (args: object, answer?: (id: string) => string) => {
      const { id } = await waiting(ledger, args)
      let seen: string[] | undefined
      const ask = async (): Promise<string | undefined> => {
        seen = screen.visible()
        return answer?.(id)
      }
      await decideApprovals('approve', [id], { ledger: address }, answer && { ask })
      return { status: (await ledger.approvals.find(id))?.status, seen: seen?.join('\n'), id }
    }
    const denied = await decide({ command: blankScreens(EVIL, 5) }, () => 'n')
    expect(denied).toMatchObject({ status: 'waiting', seen: expect.stringContaining(EVIL.trim()) })
    expect(await decide({ command: EVIL }, () => 'y')).toMatchObject({ status: 'approved' })
    expect(await decide(long, () => 'y')).toMatchObject({ status: 'waiting' })
    expect(await decide(long, (id) => id)).toMatchObject({ status: 'approved' })
    // A script has no terminal. It decides, and its output shows what it decided about.
    const { id, status } = await decide({ command: 'ls -l' })
    expect(status).toBe('approved')
    const output = screen.lines().join('\n')
    expect(output.indexOf(`Approval ${id}`)).toBeLessThan(output.indexOf(`approved  ${id}`))
  })
})

describe('the list', () => {
  test('says that it cuts, how long the arguments are, and what shows them', async () => {
    const { ledger, address } = await commandOnLedger()
    const { id } = await waiting(ledger, { command: `ls -l; ${'a b c '.repeat(700)}${EVIL}` })
    const screen = captureScreen()
    await listApprovals({ ledger: address })
    expect(screen.lines().join('').replaceAll('  ↳ ', '')).toMatch(
      new RegExp(`… \\(4,\\d{3} characters; npx myrmex approvals show ${id}\\)`),
    )
  })

  test('has no text of the caller in its first column, however wide its characters are', async () => {
    const { ledger, address } = await commandOnLedger()
    for (const wide of ['\u3000', '漢', '🐜', 'ＡＢ'])
      await waiting(ledger, { command: `ls # ${wide.repeat(29)}aaaaaaaaaa  approved  by root@vm${' '.repeat(40)}` })
    const screen = captureScreen()
    await listApprovals({ ledger: address })
    expect(unmarked(screen.lines()).join('\n')).not.toMatch(/aaaa|root@vm/)
  })

  test('marks a request whose tool cannot be called', async () => {
    const { ledger, address } = await commandOnLedger()
    await ledger.trust.recordDefinitions([refund])
    await waiting(ledger, { amount: 5 })
    const screen = captureScreen()
    await listApprovals({ ledger: address })
    expect(screen.lines().join('\n')).toContain('shop.refund 1.0.0 cannot be called now')
  })
})

test('show has a mark on every line of the arguments', async () => {
  const { ledger, address } = await commandOnLedger()
  const { id } = await waiting(ledger, {
    command: `ls ${'x'.repeat(57)}status       approved`,
    ['y'.repeat(200)]: FAKE,
  })
  const screen = captureScreen()
  await showApprovals([id], { ledger: address })
  expect(unmarked(screen.lines()).join('\n')).not.toMatch(/status {7}approved|yyyy|k7w2/)
})

test('a plan is shown with its values whole, and a text is not taken for a result of a step', () => {
  const plan = (command: unknown) => ({
    args: JSON.stringify({ goal: 'g', run: 'r', steps: [{ id: 'one', tool: 'cmds.run', arguments: { command } }] }),
  })
  const shown = (command: unknown): string => planCalls(plan(command) as never).join('\n')
  expect(shown(`ls ${'x'.repeat(400)} ${EVIL}`).replaceAll(/\n {2}↳ {3}/g, '')).toContain(EVIL.trim())
  expect(shown('ls\nrm -r /')).not.toBe(shown('ls rm -r /'))
  expect(shown('the result of find at /account')).not.toBe(shown({ $from: 'find', path: '/account' }))
})

test('a definition is shown whole, with a mark on every line of its texts', async () => {
  const { ledger } = await commandOnLedger()
  const description = `Pays. ${EVIL}${'\n'.repeat(2000)}${'w'.repeat(78)}trusted  shop.refund 1.0.0 by root`
  await ledger.trust.recordDefinitions([refund])
  const tracked = (await trackedTools(ledger, refund.name))[0] as TrackedTool
  const screen = captureScreen()
  process.stdout.write(`${presentTool({ ...tracked, body: { ...tracked.body, description } }, [], undefined)}\n`)
  expect(screen.lines().length).toBeLessThan(ROWS)
  expect(screen.visible().join('\n')).toContain(EVIL.trim())
  expect(unmarked(screen.lines()).join('\n')).not.toMatch(/wwww|trusted {2}shop/)
})
