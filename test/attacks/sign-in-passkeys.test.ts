/**
 * Attacker: a page on another site, or a program that saw a user sign in with a passkey
 * Attack: sends an answer that was made for another page, another sign-in, another origin or another host, or a forged one.
 * Stopped by: an answer counts only for the page that asked, in its browser, for this origin, with the person verified and signed by the key.
 *
 * Attack: signs in with a copy of an authenticator, or with the same answer many times at once.
 * Stopped by: an authenticator that counts must count on, and of several sign-ins with one count one wins.
 *
 * Attacker: a user of the host
 * Attack: registers the passkey of another user, or a key that is no key, with an invitation of its own.
 * Stopped by: a passkey belongs to the user that made it first; only keys of ES256, Ed25519 and RS256 are accepted.
 */
import { generateKeyPairSync } from 'node:crypto'
import { freePort } from '@myrmex/testing/free-port'
import { type AnswerChanges, Authenticator } from '@myrmex/testing/issuer/authenticator'
import { RawOAuth } from '@myrmex/testing/raw-oauth'
import { type SeenPage, SignInBrowser, textOf } from '@myrmex/testing/sign-in-browser'
import { type SignedInHost, signedInHost } from '@myrmex/testing/signed-in-host'
import { describe, expect, test } from 'vitest'

const page = (seen: SeenPage | URL): SeenPage => {
  if (seen instanceof URL) throw new Error(`redirected to ${seen}`)
  return seen
}
const challengeOf = ({ html }: SeenPage): string => /name="form" value="([^"]+)"/.exec(html)?.[1] as string

async function namedHost(): Promise<SignedInHost> {
  const port = await freePort()
  return signedInHost({ port, config: { url: `http://localhost:${port}` } })
}

/** What the page of a new invitation answers to a passkey. */
async function register(host: SignedInHost, user: string, answer: (challenge: string) => string): Promise<SeenPage> {
  const { code } = await host.ledger.invitations.create(user, { scopes: ['*'] }, 'operator')
  const browser = new SignInBrowser()
  const form = page(await browser.open(new URL(`${host.origin}/sign-in/invitation/${code}`)))
  return page(await browser.submit(form, { action: 'passkey', passkey: answer(challengeOf(form)) }))
}

async function registered() {
  const host = await namedHost()
  const authenticator = new Authenticator(host.origin)
  expect((await register(host, 'ada', (challenge) => authenticator.created(challenge))).status).toBe(200)
  const client = new RawOAuth(host.origin)
  await client.register()
  const login = async () => {
    const browser = new SignInBrowser()
    return { browser, form: page(await browser.open(client.authorizeUrl())) }
  }
  const answers = async (answer: string, at?: Awaited<ReturnType<typeof login>>): Promise<SeenPage> => {
    const { browser, form } = at ?? (await login())
    return page(await browser.submit(form, { action: 'passkey', passkey: answer }))
  }
  return { host, authenticator, login, answers }
}

const { privateKey: OTHER_KEY } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const FORGED: [string, AnswerChanges][] = [
  ['for another page', { challenge: 'A'.repeat(43) }],
  ['of another origin', { origin: 'https://evil.example' }],
  ['of another port', { origin: 'http://localhost:1' }],
  ['from a frame of another page', { crossOrigin: true }],
  ['for another host', { party: 'evil.example' }],
  ['of nobody', { flags: 0x00 }],
  ['of a person that was not verified', { flags: 0x01 }],
]

describe('a sign-in with an answer', () => {
  test.each([
    ...FORGED,
    ['that makes a passkey', { type: 'webauthn.create' }] as [string, AnswerChanges],
    ['signed by another key', { key: OTHER_KEY }] as [string, AnswerChanges],
    ['of a passkey that nobody has', { id: Buffer.alloc(32) }] as [string, AnswerChanges],
    ['that counts backwards', { counter: 0 }] as [string, AnswerChanges],
  ])('%s is refused', async (_what, changes) => {
    const { authenticator, login, answers } = await registered()
    const at = await login()
    const got = await answers(authenticator.asserted(challengeOf(at.form), changes), at)
    expect([got.status, textOf(got)]).toEqual([400, expect.stringContaining('does not know this passkey')])
    const right = await login()
    expect(textOf(await answers(authenticator.asserted(challengeOf(right.form)), right))).toContain('signed in as ada')
  })

  test.each(['', '{}', 'null', '[]', '{"id":"a","client_data":"a","authenticator_data":"a","signature":"a"}'])(
    'that is %s is refused',
    async (answer) => {
      expect((await (await registered()).answers(answer)).status).toBe(400)
    },
  )

  test('that was used, or was made for another sign-in, is refused', async () => {
    const { authenticator, login, answers } = await registered()
    const [first, second] = [await login(), await login()]
    const answer = authenticator.asserted(challengeOf(first.form))
    expect((await answers(answer, second)).status).toBe(400)
    expect(textOf(await answers(answer, first))).toContain('signed in as ada')
    expect((await answers(answer, await login())).status).toBe(400)
  })

  test('of a disabled user says no more than one of nobody', async () => {
    const { host, authenticator, login, answers } = await registered()
    await host.ledger.users.disable('ada', 'operator')
    const at = await login()
    const disabled = await answers(authenticator.asserted(challengeOf(at.form)), at)
    const nobody = await answers(new Authenticator(host.origin).asserted('x'), at)
    expect([disabled.status, disabled.html]).toEqual([nobody.status, nobody.html])
  })
})

test('of sign-ins with one count at the same time at most one wins', async () => {
  const { authenticator, login, answers } = await registered()
  const starts = await Promise.all(Array.from({ length: 6 }, login))
  const counter = authenticator.counter + 1
  const got = await Promise.all(
    starts.map((at) => answers(authenticator.asserted(challengeOf(at.form), { counter }), at)),
  )
  expect(got.filter((one) => textOf(one).includes('signed in as ada'))).toHaveLength(1)
})

describe('an invitation', () => {
  test.each([
    ...FORGED,
    ['that uses a passkey', { type: 'webauthn.get' }] as [string, AnswerChanges],
    ['without a credential', { flags: 0x05 }] as [string, AnswerChanges],
    ['with another id', { id: Buffer.alloc(32) }] as [string, AnswerChanges],
    ['with a weak key', { key: generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey }] as [
      string,
      AnswerChanges,
    ],
    ['with a key of another curve', { key: generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).publicKey }] as [
      string,
      AnswerChanges,
    ],
  ])('does not take an answer %s, and still works', async (_what, changes) => {
    const host = await namedHost()
    const authenticator = new Authenticator(host.origin)
    const got = await register(host, 'ada', (challenge) => authenticator.created(challenge, changes))
    expect([got.status, textOf(got)]).toEqual([400, expect.stringContaining('This passkey does not fit')])
    expect(await host.ledger.credentials.kinds()).toEqual([])
    expect((await host.ledger.invitations.list())[0]?.used_at).toBeNull()
  })

  test('does not take the passkey of another user', async () => {
    const { host, authenticator } = await registered()
    const got = await register(host, 'eve', (challenge) => authenticator.created(challenge))
    expect([got.status, textOf(got)]).toEqual([400, expect.stringContaining('known already')])
    expect(await host.ledger.credentials.kinds()).toMatchObject([{ user_name: 'ada' }])
  })
})
