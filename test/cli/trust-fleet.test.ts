/** Decisions about the tools of a fleet before the first call: its agents are opened, in this process and as children, and ended again. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandEnd, runToEnd } from '@myrmex/testing/cli/run-to-end'
import { call } from '@myrmex/testing/fleet/fleet-locations'
import { longTest } from '@myrmex/testing/long'
import { CLI, fixturePath } from '@myrmex/testing/paths'
import { openLedger } from 'myrmex'
import { openFleet, parseFleet } from 'myrmex/fleet'
import { expect, onTestFinished, test, vi } from 'vitest'

// The commands start processes, and other work may share the machine.
vi.setConfig({ testTimeout: 60_000 })

const CONFIG = {
  agents: {
    heir: { command: process.execPath, args: [CLI, 'serve', fixturePath('attacks/heir.agent.ts')] },
    stock: { module: fixturePath('runs/stock.agent.ts') },
  },
}

interface FleetFolder {
  readonly folder: string
  readonly address: string
  myrmex(...args: string[]): Promise<CommandEnd>
}

/** A folder with a fleet and without a ledger. */
function fleetFolder(): FleetFolder {
  const folder = mkdtempSync(join(tmpdir(), 'myrmex-trust-fleet-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(join(folder, 'myrmex.fleet.json'), JSON.stringify(CONFIG))
  const address = join(folder, 'ledger.db')
  const env = { ...process.env, NO_COLOR: '1', TZ: 'UTC', MYRMEX_LEDGER: address }
  return { folder, address, myrmex: (...args) => runToEnd(args, { cwd: folder, env }) }
}

test('trust finds the tool of a child in the fleet of the folder, and its first call runs', async () => {
  const { folder, address, myrmex } = fleetFolder()
  const trusted = await myrmex('trust', 'heir.pay', '--yes', '--open')
  expect(trusted.code, trusted.stderr).toBe(0)
  expect(trusted.stdout).toMatch(/^heir\.pay {2}1\.0\.0 {2}changes state\n/)
  expect(trusted.stdout).toContain('written by others')
  expect(trusted.stdout).toMatch(/trusted {2}heir\.pay 1\.0\.0 by .*: allows every call without approval/)
  const ledger = await openLedger(address)
  const fleet = await openFleet(parseFleet(CONFIG), { ledger, folder, stderr: 'ignore' })
  onTestFinished(async () => {
    await fleet.close()
    await ledger.close()
  })
  expect(await call(fleet, 'heir.pay', { to: 'ada', amount: 1 })).toMatchObject({
    status: 'success',
    data: { paid: 1 },
  })
})

longTest('--fleet names another fleet, for trust, verify and status alike', async () => {
  const { folder, myrmex } = fleetFolder()
  const file = join(folder, 'other.json')
  writeFileSync(file, JSON.stringify(CONFIG))
  rmSync(join(folder, 'myrmex.fleet.json'))
  const unknown = await myrmex('status', 'heir.pay')
  expect(unknown.code).toBe(1)
  const status = await myrmex('trust', 'status', 'heir.pay', '--fleet', file)
  expect(status.code, status.stderr).toBe(0)
  expect(status.stdout).toContain('nobody has decided, first seen')
  const summary = await myrmex('status', '--fleet', file)
  expect(summary.stdout).toContain('heir                6         0          6')
  const all = await myrmex('status', '--all', '--fleet', file)
  for (const name of ['heir.look', 'heir.pay', 'stock.order_goods', 'agent:heir.plan'])
    expect(all.stdout).toContain(name)
  const verified = await myrmex('verify', 'heir.look', '--fleet', file)
  expect(verified.code, verified.stdout + verified.stderr).toBe(0)
  const own = await myrmex('trust', 'stock.order_goods', '--ask', '--yes', '--fleet', file)
  expect(own.stdout).toContain('trusted  stock.order_goods 1.0.0')
})

test('status of a tool that nobody has seen looks into the fleet of the folder, and an unknown tool says what is near', async () => {
  const { myrmex } = fleetFolder()
  const status = await myrmex('status', 'heir.pay')
  expect(status.code, status.stderr).toBe(0)
  expect(status.stdout).toContain('not callable')
  const unknown = await myrmex('trust', 'heir.pey', '--yes', '--open')
  expect(unknown.code).toBe(1)
  expect(unknown.stderr).toContain('Unknown tool "heir.pey". Did you mean heir.pay?')
})

test('an agent that does not start is reported, and the others can be decided about', async () => {
  const { folder, myrmex } = fleetFolder()
  const broken = { ...CONFIG.agents, gone: { command: './nowhere' } }
  writeFileSync(join(folder, 'myrmex.fleet.json'), JSON.stringify({ agents: broken }))
  const trusted = await myrmex('trust', 'heir.pay', '--yes', '--open')
  expect(trusted.code, trusted.stderr).toBe(0)
  expect(trusted.stderr).toContain('gone: ')
})
