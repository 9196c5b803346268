/** The tools as they are shown to a model: compact and within a size limit. Notes say what was left out. */

import { costReferences } from '../../protocol/cost.ts'
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { fit } from '../../protocol/text.ts'
import type { ToolStatistics, ToolView } from '../fleet/tool-view.ts'
import type { PlanRequest } from './brain.ts'

/** In characters of JSON; about fifteen thousand tokens. */
const MAX_SIZE = 60_000

export interface Catalogue {
  readonly tools: readonly JsonObject[]
  readonly notes: readonly string[]
}

const ALWAYS_DROPPED = ['$schema', '$id', '$comment']
const EXAMPLES = ['examples', 'example', 'title', 'markdownDescription']

/** From everything to the bare minimum; the first form that fits is used. */
const FORMS: readonly { readonly note: string; readonly maxText: number; readonly drop: ReadonlySet<string> }[] = [
  { note: '', maxText: 1000, drop: new Set(ALWAYS_DROPPED) },
  {
    note: 'descriptions were shortened and examples left out',
    maxText: 200,
    drop: new Set([...ALWAYS_DROPPED, ...EXAMPLES]),
  },
  {
    note: 'descriptions were cut to a line and those of fields left out',
    maxText: 80,
    drop: new Set([...ALWAYS_DROPPED, ...EXAMPLES, 'description']),
  },
]

/** Tools in `needed` are always shown. */
export function catalogueOf(
  { tools, goal, learned }: PlanRequest,
  needed: ReadonlySet<string>,
  maxSize = MAX_SIZE,
): Catalogue {
  const notes: string[] = []
  let shown: JsonObject[] = []
  for (const { note, maxText, drop } of FORMS) {
    shown = tools.map((tool) => entry(tool, maxText, drop, learned?.get(tool.name)))
    if (note !== '') notes[0] = `The tools (${tools.length}) were more than a model is shown in full: ${note}.`
    if (size(shown) <= maxSize) return { tools: shown, notes }
  }
  const kept = nearest(shown, goal, needed, maxSize)
  const left = shown.length - kept.length
  notes.push(`${left} of ${tools.length} tools were not shown to the model: those least like the goal.`)
  return { tools: kept, notes }
}

const size = (entries: readonly JsonObject[]): number =>
  entries.reduce((sum, one) => sum + JSON.stringify(one).length + 1, 0)

function entry(
  tool: ToolView,
  maxText: number,
  drop: ReadonlySet<string>,
  learned: ToolStatistics | undefined,
): JsonObject {
  const { name, agent, description, destructive, input, output } = tool
  if (tool.isNameOnly)
    return { name, agent, description: 'Not callable: the operator must review it first.', destructive }
  const cost = costIn(input)
  return {
    name,
    agent,
    description: fit(description, maxText),
    destructive,
    ...(cost === undefined ? {} : { cost }),
    ...(learned === undefined ? {} : { calls: learned.calls, failures: learned.failures }),
    input: slim(input, drop, maxText) as JsonObject,
    ...(output === undefined ? {} : { output: slim(output, drop, maxText) as JsonObject }),
  }
}

/** A number: what every call costs. Pointers: the arguments that are money. */
function costIn(input: JsonObject): Json | undefined {
  const each = input['x-cost']
  if (typeof each === 'number') return each
  const places = costReferences(input)
  return places.length === 0 ? undefined : places
}

/** Keywords may go; properties that happen to have such a name may not. */
function slim(node: unknown, drop: ReadonlySet<string>, maxText: number, keywords = true): unknown {
  if (Array.isArray(node)) return node.map((item) => slim(item, drop, maxText))
  if (!isObject(node)) return node
  const kept = Object.entries(node).flatMap(([key, child]): [string, unknown][] => {
    if (keywords && drop.has(key)) return []
    const isText = keywords && key === 'description' && typeof child === 'string'
    if (isText) return [[key, fit(child, maxText)]]
    if (keywords && VALUES.has(key)) return [[key, child]]
    return [[key, slim(child, drop, maxText, !(keywords && NAMED.has(key)))]]
  })
  return Object.fromEntries(kept)
}
/** Their members are names that somebody chose, not keywords. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** Their content is a value, not a schema. */
const VALUES = new Set(['const', 'enum', 'default', 'required'])

/** Those needed, then those that share most words with the goal; in their own order, as many as fit. */
function nearest(
  entries: readonly JsonObject[],
  goal: string,
  needed: ReadonlySet<string>,
  maxSize: number,
): JsonObject[] {
  const wanted = wordsOf(goal)
  const scoreOf = ({ name, description }: JsonObject): number =>
    needed.has(String(name)) ? Number.MAX_SAFE_INTEGER : wordsOf(`${name} ${description}`).intersection(wanted).size
  const ranked = entries
    .map((one, index) => ({ one, index, score: scoreOf(one) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
  const kept: typeof ranked = []
  let left = maxSize
  for (const candidate of ranked) {
    const length = size([candidate.one])
    if (length > left) continue
    kept.push(candidate)
    left -= length
  }
  return kept.sort((a, b) => a.index - b.index).map(({ one }) => one)
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
