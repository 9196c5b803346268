/**
 * A request for approval is stored in the table of approvals and in the journal, and the operator's lists read it whole.
 *
 * Attacker: a remote caller
 * Attack: makes calls that need approval, with arguments of many megabytes each, until the disk is full and no list of approvals can be read.
 * Stopped by: a request has at most a million characters, and those of one principal that wait have at most eight million together.
 */
import { call, principalNamed, serveRefundTool } from '@myrmex/testing/gated-server'
import { expect, test } from 'vitest'
import * as z from 'zod'

const serveNotes = () => serveRefundTool({ input: z.object({ note: z.string() }) } as never)
const waits = { error: { error_type: 'PermissionError' } }

test('one long request is refused, and says what to do', async () => {
  const { server, ledger } = await serveNotes()
  expect(await call(server, 'shop.refund', { note: 'x'.repeat(1_000_001) })).toMatchObject({
    error: { error_type: 'ValidationError', error_message: expect.stringMatching(/at most 1000000.*standing grant/) },
  })
  expect(await ledger.approvals.list()).toEqual([])
})

test('many long requests of one principal are refused, until some are decided; others still ask', async () => {
  const { server, ledger } = await serveNotes()
  const ask = (note: string, id = 'mallory') =>
    call(server, 'shop.refund', { note: note.padEnd(900_000, 'x') }, { principal: principalNamed(id) })
  for (let n = 0; n < 8; n++) expect(await ask(`${n}`)).toMatchObject(waits)
  expect(await ask('one more')).toMatchObject({ error: { error_type: 'ApiLimitExceeded' } })
  expect(await ask('one more', 'ada')).toMatchObject(waits)
  // The same call again is no new request.
  expect(await ask('3')).toMatchObject(waits)
  const [waiting] = (await ledger.approvals.list('waiting')).filter(({ principal }) => principal === 'mallory')
  await ledger.approvals.deny(waiting?.id ?? '', 'bob', 'no')
  expect(await ask('one more')).toMatchObject(waits)
})
