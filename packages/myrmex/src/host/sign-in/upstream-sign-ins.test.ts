/** A host that serves many callers does not keep the credential of each for ever. */
import { serverSettings } from '@myrmex/testing/host/server-settings'
import { expect, onTestFinished, test } from 'vitest'
import { memoryLedger } from '../../ledger/open.ts'
import type { Credential, SavedSignIn } from './credential.ts'
import { MAX_CALLERS, UpstreamSignIns } from './upstream-sign-ins.ts'

const settings = serverSettings('notes', {
  where: 'url',
  url: 'http://127.0.0.1:9/mcp',
  headers: {},
  transport: 'http',
  auth: { perCaller: true },
} as never)

test('of more callers than it keeps, those go that were used longest ago and are not in use', () => {
  const ledger = memoryLedger()
  const signIns = new UpstreamSignIns({
    ledger: () => ledger,
    log: () => {},
    onSignedIn: async () => {},
    onSignedOut: async () => {},
    onChange: () => {},
    onDead: () => {},
  })
  onTestFinished(() => signIns.close())
  const shared = signIns.register(settings) as Credential
  const account = signIns.accountsOf(settings) as (principal: string) => Credential
  const [left, busy, again] = [account('left'), account('busy'), account('again')]
  busy.uses++
  left.secrets.add({ tokens: { access_token: 'secret-of-left' }, client: {} } as SavedSignIn)
  const secrets: (readonly string[])[] = []
  left.secrets.on((now) => secrets.push(now))
  for (let n = 0; n < MAX_CALLERS; n++) {
    account(`p${n}`)
    account('again')
  }
  expect(secrets).toEqual([['secret-of-left'], []])
  expect(account('left')).not.toBe(left)
  expect(account('busy')).toBe(busy)
  expect(account('again')).toBe(again)
  expect(signIns.credentialOf('notes', '')).toBe(shared)
})
