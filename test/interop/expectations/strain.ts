/** Calls that are hard on a connection: questions in the middle, a thousand at once, five megabytes. */
import { EventEmitter } from 'node:events'
import { LONG } from '@myrmex/testing/long'
import { expect, onTestFinished, test } from 'vitest'
import type { ElicitAnswer } from '../clients/peer.ts'
import type { Session } from './session.ts'

export function expectStrain(session: Session): void {
  test.for<[ElicitAnswer, object]>([
    [
      { action: 'accept', content: { size: 'large' } },
      { brewed: true, what: 'large mocha' },
    ],
    [{ action: 'decline' }, { brewed: false, what: 'decline' }],
    [{ action: 'cancel' }, { brewed: false, what: 'cancel' }],
  ])('is asked in the middle of a call and answers %j', async ([given, brewed]) => {
    session.answer = given
    session.asked.length = 0
    expect(await session.client.call('brew', { coffee: 'mocha' })).toMatchObject({ structuredContent: brewed })
    expect(session.asked).toEqual(['Which size of mocha?'])
  })

  const count = LONG ? 1000 : 200
  test(`makes ${count} calls at once and gets each answer to its own`, async () => {
    // Each official client waits on its child's stdin once per call, of which Node warns from the eleventh listener on.
    EventEmitter.defaultMaxListeners = count + 1
    onTestFinished(() => {
      EventEmitter.defaultMaxListeners = 10
    })
    // They take different times, so that the answers come in another order than the calls.
    const calls = Array.from({ length: count }, (_, n) => ({ text: `call ${n}`, after_ms: (n * 7) % 20 }))
    const results = await Promise.all(calls.map((args) => session.client.call('echo', args)))
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(calls.map(({ text }) => ({ text })))
  })

  test('sends 5 MB and gets them back', async () => {
    const text = 'myrmex🐜'.repeat(500_000)
    const { structuredContent } = await session.client.call('echo', { text })
    expect((structuredContent as { text: string }).text === text).toBe(true)
  })
}
