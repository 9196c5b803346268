import { temporaryLedger } from '@myrmex/testing/host/changing-server'
import { upstreamTool } from '@myrmex/testing/trust/seen-tools'
import { expect, test } from 'vitest'
import { scanContext, type TrackedTool, trackedTools } from './tracked-tools.ts'

const NAMES = [
  'files.read',
  'prompt:files.greet',
  'resource:files:*',
  'resource:files:file:///a.b',
  'instructions:files',
  'mail.send',
  'prompt:mail.greet',
  'resource:mail:mail://inbox.mbox',
  'instructions:mail',
]
const known = NAMES.map((tool) => ({ tool, body: { description: `About ${tool}.` } }) as TrackedTool)

test.each(NAMES.slice(0, 5))(
  '%s is of the server files, and only tools of other servers are those of others',
  (name) => {
    expect(scanContext(name, known)).toEqual({
      own: NAMES.slice(0, 5),
      others: [{ name: 'mail.send', server: 'mail', description: 'About mail.send.' }],
    })
  },
)

test('a tool is gone when no definition of it is listed, whichever was seen last', async () => {
  const ledger = await temporaryLedger()
  const made = ['Reads.', 'Reads it.'].map((description) => upstreamTool('git', { name: 'log', description }))
  const [first, second] = made.map(({ name, version, hash }) => ({ tool: name, version, hash }))
  await ledger.trust.pinAll(made)
  const isGone = async () => (await trackedTools(ledger, 'git.log')).map(({ goneAt }) => goneAt !== undefined)
  for (const listed of [[second], [first], [first, second]]) {
    await ledger.listedDefinitions.record(
      'git',
      listed.flatMap((one) => one ?? []),
    )
    expect(await isGone()).toEqual([false])
  }
  await ledger.listedDefinitions.record('git', [])
  expect(await isGone()).toEqual([true])
})
