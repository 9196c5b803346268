/**
 * What would be refused: a caller that plans calls sends them with `tools/list`, in `_meta["myrmex/refusals"]`, and learns which of them the
 * gates of this server would refuse as things are. Nothing runs, and nothing is asked or counted. A call that would only wait for a
 * person is not refused: it is named with `asks`, if a rule says so.
 */
import { isTrustedEnough, trustRefusal } from '../../pipeline/gates/trust.ts'
import { findBreach } from '../../pipeline/rules/article/evaluate.ts'
import { articlesFor } from '../../pipeline/rules/constitution.ts'
import { demandOf } from '../../pipeline/rules/demand.ts'
import { isObject, type JsonObject } from '../../protocol/json.ts'
import { META } from '../../protocol/versions.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Exchange } from '../exchange.ts'
import { SharedResult } from '../results/encode.ts'
import type { Server } from '../server.ts'
import { isVisibleTool } from '../visible-items.ts'

/** More calls than a plan has tools, as a rule; each may read the ledger. */
const MAX_CALLS = 200

/** The list with the refusals of the planned calls, as `{index, message}`; unchanged if none were sent. */
export async function withRefusals(list: SharedResult, exchange: Exchange, server: Server): Promise<SharedResult> {
  const planned = exchange.meta?.[META.refusals]
  if (!Array.isArray(planned)) return list
  const refusals: JsonObject[] = []
  for (const [index, one] of planned.slice(0, MAX_CALLS).entries()) {
    const found = isObject(one) && typeof one.name === 'string' ? await refusalOf(exchange, server, one) : undefined
    if (found !== undefined) refusals.push({ index, ...found })
  }
  const result = list.toObject() as JsonObject
  return new SharedResult({
    ...result,
    _meta: { ...(result._meta as JsonObject | undefined), [META.refusals]: refusals },
  })
}

/** Arguments that are not all known yet are left out, and then only the tool is judged. */
async function refusalOf(
  exchange: Exchange,
  server: Server,
  one: Record<string, unknown>,
): Promise<{ message: string; asks?: true } | undefined> {
  const { pipeline, ledger, registry } = server
  const tool = registry.find(String(one.name))
  if (tool === undefined || !isVisibleTool(server, exchange.principal, tool)) return undefined
  if (pipeline.hasLedger || tool.destructive) {
    const refused = await trustRefusal(tool, ledger.trust)
    if (refused !== undefined && !canBeHandedOver(exchange, server, tool)) return { message: refused }
  }
  if (!isObject(one.arguments)) return undefined
  const call = pipeline.prepare(exchange, tool.name, one.arguments, {})
  call.input = one.arguments
  // Facts are read by calls of other tools: they are for the call itself.
  const articles = articlesFor(pipeline.constitution, tool).map((article) => ({ ...article, facts: [] }))
  const breach = (await findBreach(call, articles))?.error?.error_message
  if (breach !== undefined) return { message: breach }
  const demand = demandOf(call)
  return demand === undefined ? undefined : { message: demand, asks: true }
}

/** The program that started this server decides about it, and sends its decision with the call. */
const canBeHandedOver = ({ session }: Exchange, { ledger }: Server, tool: Tool): boolean =>
  session.handOverKey !== undefined &&
  tool.origin === 'own' &&
  !ledger.lock.isLocked &&
  (isTrustedEnough(tool, ledger.trust) || ledger.trust.levelOf(tool) === 'verified')
