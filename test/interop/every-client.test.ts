/** What holds for every client we did not write, on both transports and in both eras. */
import { LONG } from '@myrmex/testing/long'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aiSdk } from './clients/ai-sdk.ts'
import { NEWEST } from './clients/peer.ts'
import { sdk1 } from './clients/sdk1.ts'
import { sdk2 } from './clients/sdk2.ts'
import { expectCalls } from './expectations/calls.ts'
import { expectData } from './expectations/data.ts'
import { expectFailures } from './expectations/failures.ts'
import { sessionOf } from './expectations/session.ts'
import { expectStrain } from './expectations/strain.ts'
import { startTapped, type TappedServer, TOOLS_SERVER, TRANSPORTS } from './tapped-server.ts'

const EVERY = [sdk1, ...sdk2, ...aiSdk].flatMap((peer) => TRANSPORTS.map((transport) => ({ ...peer, transport })))
/** The short form has each client once, and each transport in both eras. `npm run test:interop` has all. */
const SHORT = [
  'sdk 1.x over stdio',
  'client 2.x, legacy over http',
  'client 2.x, auto over http',
  'ai-sdk, modern over stdio',
]
const CASES = EVERY.filter(({ name, transport }) => LONG || SHORT.includes(`${name} over ${transport}`))

describe.each(CASES)('$name over $transport', ({ connect, era, transport }) => {
  let server: TappedServer
  const session = sessionOf(era)

  beforeAll(async () => {
    server = await startTapped(TOOLS_SERVER, transport)
    session.client = await connect(server.target, (message) => {
      session.asked.push(message)
      return session.answer
    })
  })
  afterAll(async () => {
    await session.client.close()
    await server.close()
  })

  test('agrees on the newest revision of its era', () => {
    expect(session.client.version).toBe(NEWEST[era])
    expect(session.client.server).toMatchObject({ name: 'myrmex', version: '0.1.0' })
  })

  expectCalls(session)
  expectFailures(session)
  expectData(session)
  expectStrain(session)

  test('spoke its era and no other, and every message it was sent parses under the official schemas', async () => {
    await session.client.close()
    await server.close()
    const { faults, judged, sent, codes } = server.judge
    expect(faults).toEqual([])
    expect(judged).toBeGreaterThan(LONG ? 1000 : 200)
    expect(sent.has('initialize')).toBe(era === 'legacy')
    expect(sent.has('server/discover')).toBe(era === 'modern')
    // A resource that is not there has a code of its own in the legacy era.
    expect(codes.has(-32002)).toBe(era === 'legacy')
  })
})
