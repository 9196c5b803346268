/** Whatever the file and persons decide one after the other: what a tool may do is what the table in docs/trust.md says. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { propertyRuns } from '@myrmex/testing/long'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Ledger } from '../../ledger/ledger.ts'
import { openLedger } from '../../ledger/open.ts'
import { tool } from '../../tool/tool.ts'
import { type ConfiguredTrust, TRUST_VALUES } from '../settings.ts'
import { followFile } from './follow-file.ts'
import { applyConfiguredTrust } from './trust-from-config.ts'

const made = (name: string, destructive: boolean) =>
  tool(
    {
      ...{
        name,
        version: '0.0.0',
        description: 'It does one thing.',
        input: { type: 'object' },
        output: { type: 'object' },
      },
      ...{ errors: {}, idempotent: false, destructive, security: 'Unknown.', examples: [], run: () => ({}) },
    },
    'upstream',
  )
const reads = made('srv.read', false)
const writes = made('srv.write', true)

/** What a call may do: be rejected, run if it changes nothing, wait for approval, run. */
const RIGHTS = TRUST_VALUES
type Rights = ConfiguredTrust
const rank = (rights: Rights): number => RIGHTS.indexOf(rights)

type Step =
  | { readonly by: 'file'; readonly word: ConfiguredTrust }
  | { readonly by: 'person'; readonly decides: 'verify' | 'ask' | 'trust' | 'untrust' }
  | { readonly by: 'restart' }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ by: fc.constant('file' as const), word: fc.constantFrom(...TRUST_VALUES) }),
  fc.record({
    by: fc.constant('person' as const),
    decides: fc.constantFrom('verify' as const, 'ask' as const, 'trust' as const, 'untrust' as const),
  }),
  fc.record({ by: fc.constant('restart' as const) }),
)

/** The table. */
class Model {
  file: ConfiguredTrust = 'none'
  rights: Rights = 'none'
  owner: 'file' | 'person' = 'file'
  isRefused = false

  take(one: Step): void {
    if (one.by === 'file') this.#edit(one.word)
    if (one.by === 'person') this.#decide(one.decides)
  }

  #edit(word: ConfiguredTrust): void {
    const before = this.file
    this.file = word
    if (this.isRefused) return
    if (this.owner === 'file') this.rights = word
    else if (rank(word) > rank(before) && rank(word) > rank(this.rights)) this.#give(word)
    else if (rank(word) < rank(before) && rank(word) < rank(this.rights)) this.#give(word)
  }

  #give(word: ConfiguredTrust): void {
    this.rights = word
    this.owner = 'file'
  }

  #decide(what: 'verify' | 'ask' | 'trust' | 'untrust'): void {
    this.owner = 'person'
    this.isRefused = what === 'untrust'
    this.rights = ({ verify: 'verified', ask: 'ask', trust: 'trusted', untrust: 'none' } as const)[what]
  }
}

/** As the commands do. */
async function decide(ledger: Ledger, what: 'verify' | 'ask' | 'trust' | 'untrust'): Promise<void> {
  for (const one of [reads, writes]) {
    const definition = { tool: one.name, version: one.version, hash: one.hash }
    await ledger.grants.revoke(one.name, 'ann')
    const level = ({ verify: 'verified', ask: 'trusted', trust: 'trusted', untrust: 'untrusted' } as const)[what]
    await ledger.trust.set(definition, level, 'ann')
    if (what === 'trust') await ledger.grants.give(definition, 'ann')
  }
}

async function rightsOf(ledger: Ledger): Promise<{ reads: boolean; writes: Rights }> {
  await ledger.trust.refresh()
  const { name, version, hash } = writes
  const level = ledger.trust.levelOf(writes)
  const granted = (await ledger.grants.covering({ tool: name, version, hash }, 'anybody')) !== undefined
  return {
    reads: ledger.trust.levelOf(reads) !== 'untrusted',
    writes: level !== 'trusted' ? 'none' : granted ? 'trusted' : 'ask',
  }
}

async function host(ledger: Ledger, word: ConfiguredTrust): Promise<void> {
  const raisedAt = await followFile(ledger, 'srv', word)
  await applyConfiguredTrust(ledger, [reads, writes], word, { raisedAt })
}

test('after any edits of the file and decisions of persons, a tool may do what the table says', {
  timeout: 300_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'file-and-person-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const ledger = await openLedger(join(folder, `${count++}.db`))
      try {
        const model = new Model()
        await host(ledger, model.file)
        for (const one of steps) {
          model.take(one)
          if (one.by === 'person') await decide(ledger, one.decides)
          else await host(ledger, model.file)
          // Verified and none are the same to a tool that changes state, and all but none to one that changes nothing.
          expect(await rightsOf(ledger)).toEqual({
            reads: model.rights !== 'none',
            writes: rank(model.rights) < rank('ask') ? 'none' : model.rights,
          })
        }
      } finally {
        await ledger.close()
      }
    }),
    { numRuns: propertyRuns(25, 300) },
  )
})
