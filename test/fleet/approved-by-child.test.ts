/** A child agent may ask for its own approval of a step. The run does not wait for it inside the call: it says where to decide, and ends. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '@myrmex/testing/cli/run-to-end'
import { FIXTURES, fleetStage } from '@myrmex/testing/fleet/fleet-locations'
import { planOf, step } from '@myrmex/testing/fleet/local-fleet'
import { CLI } from '@myrmex/testing/paths'
import { openLedger } from 'myrmex'
import { expect, onTestFinished, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 60_000 })

const POLICY = {
  approvals: [
    { name: 'kids ask', tools: ['kid.wipe'], when: [{ argument: '/what', equals: 'a' }], otherwise: 'allow' },
  ],
}
const CHILD_LEDGER = join('.myrmex', 'agents', 'kid', 'ledger.db')
const RUN = ['run', 'wipe', '--plan', 'plan.json', '--approve', 'all']

/** A folder with a fleet whose child has a rule of its own. */
async function folderOfFleet() {
  const cwd = fleetStage().folder()
  const write = (name: string, value: unknown): void => writeFileSync(join(cwd, name), JSON.stringify(value))
  write('kidpol.json', POLICY)
  write('plan.json', planOf(step('s1', 'kid.wipe', { what: 'a' })))
  const args = [CLI, 'serve', join(FIXTURES, 'kid.agent.ts'), '--policy', 'kidpol.json']
  write('myrmex.fleet.json', { agents: { kid: { command: process.execPath, args } } })
  const env = { ...process.env, MYRMEX_TRUSTED_FOLDERS: cwd }
  const command = (...given: string[]) => runToEnd(given, { cwd, env })
  expect(await command('trust', 'kid.wipe', '--yes', '--open')).toMatchObject({ code: 0 })
  return { cwd, command }
}

test('a run whose step the child asks a person about ends with 3, names its ledger, and goes on once it is approved there', async () => {
  const { cwd, command } = await folderOfFleet()
  const planned = await command('run', 'wipe', '--plan', 'plan.json', '--plan-only')
  expect(planned).toMatchObject({ code: 0 })
  expect(planned.stdout).toContain('kid asks for its own approval of s1: the policy asks: kids ask')
  const first = await command(...RUN)
  expect(first.code).toBe(3)
  const there = await openLedger(join(cwd, CHILD_LEDGER), {})
  onTestFinished(() => there.close())
  const waiting = await there.approvals.list('waiting')
  expect(waiting).toMatchObject([{ tool: 'kid.wipe', reason: 'the policy asks: kids ask' }])
  const id = String(waiting[0]?.id)
  const approve = `approvals approve ${id} --ledger ${CHILD_LEDGER}`
  expect(first.stdout).toContain(`npx myrmex ${approve}`)
  expect(first.stdout).toContain('requested by agent kid in its own ledger')
  const run = String(/r-[0-9a-f]{12}/.exec(first.stdout)?.[0])
  const shown = await command('runs', 'show', run)
  expect(shown.stdout).toContain(`npx myrmex ${approve}`)
  const listed = await command('approvals', 'list', '--ledger', CHILD_LEDGER)
  expect(listed.stdout).toContain(id)
  expect(await command(...approve.split(' '))).toMatchObject({ code: 0 })
  expect(await command('runs', 'resume', run)).toMatchObject({ code: 0 })
  expect(await there.approvals.list('waiting')).toEqual([])
})

test('a step that was denied in the ledger of the child has failed', async () => {
  const { command } = await folderOfFleet()
  const first = await command(...RUN)
  const [, id] = /approvals approve (\S+) --ledger/.exec(first.stdout) ?? []
  const denied = await command('approvals', 'deny', String(id), '--note', 'not on a Friday', '--ledger', CHILD_LEDGER)
  expect(denied).toMatchObject({ code: 0 })
  const run = String(/r-[0-9a-f]{12}/.exec(first.stdout)?.[0])
  const resumed = await command('runs', 'resume', run)
  expect(resumed.code).toBe(1)
  expect(resumed.stdout).toContain(`approval ${id}`)
  expect(resumed.stdout.replace(/\s+/g, ' ')).toContain('was denied in the ledger of kid: not on a Friday.')
})
