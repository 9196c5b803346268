/** The tools as a model gets to see them: compact, and within a size. What had to be left out is said. */

import { costReferences } from '../../protocol/cost.ts'
import { isObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { fit } from '../../protocol/text.ts'
import type { ToolStatistics, ToolView } from '../fleet/tool-view.ts'
import type { PlanRequest } from './brain.ts'

/** In characters of JSON; about fifteen thousand tokens. */
const MOST = 60_000

export interface Catalogue {
  readonly tools: readonly JsonObject[]
  readonly notes: readonly string[]
}

/** From everything to the bare bones; the first form that fits is taken. */
const FORMS: readonly { readonly say: string; readonly description: number; readonly drop: ReadonlySet<string> }[] = [
  { say: '', description: 1000, drop: new Set(['$schema', '$id', '$comment']) },
  {
    say: 'descriptions were shortened and examples left out',
    description: 200,
    drop: new Set(['$schema', '$id', '$comment', 'examples', 'example', 'title', 'markdownDescription']),
  },
  {
    say: 'descriptions were cut to a line and those of fields left out',
    description: 80,
    drop: new Set(['$schema', '$id', '$comment', 'examples', 'example', 'title', 'markdownDescription', 'description']),
  },
]

/** `needed` names tools that stay whatever must go. */
export function catalogueOf(
  { tools, goal, learned }: PlanRequest,
  needed: ReadonlySet<string>,
  most = MOST,
): Catalogue {
  let shown: JsonObject[] = []
  let say = ''
  for (const form of FORMS) {
    shown = tools.map((tool) => entry(tool, form.description, form.drop, learned?.get(tool.name)))
    say = form.say
    if (size(shown) <= most) return { tools: shown, notes: noted(say, tools.length) }
  }
  const kept = nearest(shown, goal, needed, most)
  const left = shown.length - kept.length
  return {
    tools: kept,
    notes: [
      ...noted(say, tools.length),
      `${left} of ${tools.length} tools were not shown to the model: those least like the goal.`,
    ],
  }
}

const noted = (say: string, count: number): string[] =>
  say === '' ? [] : [`The tools (${count}) were more than a model is shown in full: ${say}.`]

const size = (entries: readonly JsonObject[]): number =>
  entries.reduce((sum, one) => sum + JSON.stringify(one).length + 1, 0)

function entry(
  tool: ToolView,
  longest: number,
  drop: ReadonlySet<string>,
  learned: ToolStatistics | undefined,
): JsonObject {
  const { name, agent, description, destructive, input, output } = tool
  const cost = costIn(input)
  return {
    name,
    agent,
    description: fit(description, longest),
    destructive,
    ...(cost === undefined ? {} : { cost }),
    ...(learned === undefined ? {} : { calls: learned.calls, failures: learned.failures }),
    input: slim(input, drop, longest) as JsonObject,
    ...(output === undefined ? {} : { output: slim(output, drop, longest) as JsonObject }),
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
function slim(node: unknown, drop: ReadonlySet<string>, longest: number, keywords = true): unknown {
  if (Array.isArray(node)) return node.map((item) => slim(item, drop, longest))
  if (!isObject(node)) return node
  const kept: Record<string, unknown> = {}
  for (const [key, child] of Object.entries(node)) {
    if (keywords && drop.has(key)) continue
    const isText = keywords && key === 'description' && typeof child === 'string'
    if (isText && child.length > longest) kept[key] = `${child.slice(0, longest - 1)}…`
    else if (keywords && VALUES.has(key)) kept[key] = child
    else kept[key] = slim(child, drop, longest, !(keywords && NAMED.has(key)))
  }
  return kept
}
/** Their members are names that somebody chose, not keywords. */
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'])
/** What stands under them is a value, not a schema. */
const VALUES = new Set(['const', 'enum', 'default', 'required'])

/** Those needed, then those that share most words with the goal; in their own order, as many as fit. */
function nearest(
  entries: readonly JsonObject[],
  goal: string,
  needed: ReadonlySet<string>,
  most: number,
): JsonObject[] {
  const wanted = wordsOf(goal)
  const scoreOf = ({ name, description }: JsonObject): number =>
    needed.has(String(name)) ? Number.MAX_SAFE_INTEGER : wordsOf(`${name} ${description}`).intersection(wanted).size
  const ranked = entries
    .map((one, index) => ({ one, index, score: scoreOf(one) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
  const kept: typeof ranked = []
  let left = most
  for (const candidate of ranked) {
    const length = size([candidate.one])
    if (length > left) continue
    kept.push(candidate)
    left -= length
  }
  return kept.sort((a, b) => a.index - b.index).map(({ one }) => one)
}

const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/\p{L}{3,}/gu) ?? [])
