/**
 * Attacker: an upstream server over the wire
 * Attack: lists another definition, or another tool under the same name, between the moment when the operator sees a list of many tools
 * and the moment when the list is confirmed.
 * Stopped by: a decision about many tools names the hash of every definition that was shown. If any of them is another one by then,
 * nothing is decided, in the CLI and in the API.
 *
 * Attack: names a tool like another server, so that `myrmex trust NAME` covers its own tools too.
 * Stopped by: a name stands for a server before it stands for the short name of a tool.
 *
 * Attack: writes names of tools that look like several tools, or like lines of the screen that shows many of them.
 * Stopped by: names with blanks, commas or line breaks are shown in quotes, on lines of their own.
 *
 * Attack: leaves the annotations of a tool out and gives it a name that reads, so that a suggestion declares that it changes nothing.
 * Stopped by: a suggestion covers no tool whose name or description has a verb that writes, applies only when the operator accepts it,
 * and the tool must still be verified.
 */
import { serve } from '@myrmex/testing/gated-server'
import { temporaryLedger } from '@myrmex/testing/host/changing-server'
import { serveOperatorApi } from '@myrmex/testing/operator-api'
import { type SeenTool, seenTools, upstreamTool } from '@myrmex/testing/trust/seen-tools'
import type { Ledger } from 'myrmex'
import { describe, expect, test } from 'vitest'
import { presentBulk } from '../../packages/myrmex/src/cli/trust/present-bulk.ts'
import { suggestionFacts, suggestSettings } from '../../packages/myrmex/src/host/trust/suggest-settings.ts'
import { decideBulk } from '../../packages/myrmex/src/ledger/decisions/bulk/bulk-decide.ts'
import { planBulk } from '../../packages/myrmex/src/ledger/decisions/bulk/bulk-plan.ts'
import { selectTools } from '../../packages/myrmex/src/ledger/decisions/bulk/selection.ts'
import { trackedTools } from '../../packages/myrmex/src/ledger/decisions/tracked-tools.ts'
import { canonical } from '../../packages/myrmex/src/protocol/canonical.ts'
import { sha256, visibleDefinition } from '../../packages/myrmex/src/tool/hash.ts'

const TOOLS: SeenTool[] = [
  { name: 'get_a', readOnly: true, description: 'Reads a.' },
  { name: 'get_b', readOnly: true, description: 'Reads b.' },
]
const CHANGED = { ...TOOLS[0], description: 'Reads a, and all else too.' } as SeenTool
const TERMS = { ask: false, grant: { until: undefined, principal: undefined } }

async function shownPlan(ledger: Ledger, names: readonly string[] = ['shop']) {
  const known = await trackedTools(ledger)
  const chosen = selectTools(known, { names, readOnly: false })
  const terms = { to: 'trust', despiteFindings: false, open: false, isSeen: true, isNamed: false } as const
  return planBulk(ledger, chosen, known, { ...TERMS, ...terms })
}

const levels = async (ledger: Ledger): Promise<string[]> =>
  (await ledger.trust.decisions()).flatMap(({ tool, level }) => (level === 'untrusted' ? [] : [tool]))

describe('a definition changes while the operator reads the list', () => {
  test('the answer of the operator decides nothing, for any of the tools', async () => {
    const ledger = await temporaryLedger()
    await seenTools(ledger, { shop: TOOLS })
    const { items } = await shownPlan(ledger)
    await ledger.trust.recordDefinitions([upstreamTool('shop', CHANGED)])
    await expect(decideBulk(ledger, items, TERMS, 'ada')).rejects.toThrow(
      /1 tool changed since you saw it.*shop\.get_a/,
    )
    expect(await levels(ledger)).toEqual([])
  })

  test('nor if somebody else has refused one of them meanwhile', async () => {
    const ledger = await temporaryLedger()
    const [tool] = await seenTools(ledger, { shop: TOOLS })
    const { items } = await shownPlan(ledger)
    const { name, version, hash } = tool as NonNullable<typeof tool>
    await ledger.trust.set({ tool: name, version, hash }, 'untrusted', 'bob')
    await expect(decideBulk(ledger, items, TERMS, 'ada')).rejects.toThrow('somebody else has decided')
    expect(await levels(ledger)).toEqual([])
  })

  test('a decision that is made in the same moment is not overwritten', async () => {
    const ledger = await temporaryLedger()
    const [tool] = await seenTools(ledger, { shop: TOOLS })
    const { name, version, hash } = tool as NonNullable<typeof tool>
    const stale = await shownPlan(ledger)
    await ledger.trust.set({ tool: name, version, hash }, 'untrusted', 'bob')
    // Past the comparison: the statement itself compares again.
    const missed = await ledger.trust.setAll(
      stale.items.map(({ seen, level }) => ({ definition: seen.definition, level, before: seen.decision?.set_at })),
      'ada',
    )
    expect(missed.map((one) => one.tool)).toEqual(['shop.get_a'])
    expect(await levels(ledger)).toEqual(['shop.get_b'])
  })

  test('the API answers 409 and decides about none', async () => {
    const served = await serve([])
    const { ledger } = served
    await seenTools(ledger, { shop: TOOLS })
    const api = await serveOperatorApi(served)
    const { json } = await api.post('/api/trust/preview', { names: ['shop'] })
    const decisions = json.servers[0].tools.map(({ tool, version, hash, level }: Record<string, string>) => ({
      ...{ tool, version, hash, level },
    }))
    expect(decisions).toHaveLength(2)
    await ledger.trust.recordDefinitions([upstreamTool('shop', CHANGED)])
    const late = await api.post('/api/trust/decide', { decisions })
    expect(late).toMatchObject({
      status: 409,
      json: { error_message: expect.stringContaining('1 definition changed') },
    })
    expect(await levels(ledger)).toEqual([])
  })
})

test('a tool with the name of a server is not meant by it', async () => {
  const ledger = await temporaryLedger()
  await seenTools(ledger, { shop: TOOLS, evil: [{ name: 'shop', readOnly: true }] })
  const { items } = await shownPlan(ledger)
  expect(items.map(({ seen }) => seen.tool)).toEqual(['shop.get_a', 'shop.get_b'])
})

test('on the screen of many tools a name is one name, and no line of ours', async () => {
  const ledger = await temporaryLedger()
  const uris = ['a, shop.get_b', 'x\nleft out: 0 tools', 'trusted  all', '\u202eevil\u001b[2J']
  const tools = uris.map((uri) => ({ ...upstreamTool('shop', TOOLS[0] as SeenTool), name: `resource:shop:${uri}` }))
  await ledger.trust.pinAll(tools.map((tool) => ({ ...tool, hash: sha256(canonical(visibleDefinition(tool))) })))
  const text = presentBulk(await shownPlan(ledger), true)
  expect(text.split('\n').filter((line) => /^(left out: 0|trusted|new)/.test(line))).toEqual([])
  expect(text).toContain('"resource:shop:a, shop.get_b"')
  for (const control of ['\u001b[2J', '\u202e']) expect(text).not.toContain(control)
})

describe('a suggestion', () => {
  const suggested = (tools: readonly SeenTool[]): readonly string[] =>
    suggestSettings(
      'shop',
      tools.map((one) => suggestionFacts(upstreamTool('shop', one))),
      [],
    )?.patterns.flatMap((one) => one.tools) ?? []

  test.each([
    { name: 'get_and_delete_order' },
    { name: 'read_then_send_mail' },
    { name: 'list_orders', description: 'Lists orders and deletes them.' },
    { name: 'show_page', description: 'Show a page. Also publishes it.' },
    { name: 'get_x', description: 'DELETES EVERYTHING' },
  ])('does not cover %j', (tool) => {
    expect(suggested([tool])).toEqual([])
    expect(suggested([tool, { name: 'get_one' }, { name: 'get_two' }])).not.toContain(`shop.${tool.name}`)
  })
})
