/**
 * The caller's criteria, in free words, as weights of the score. The base weights are those of the specification: demand 0.4, trend
 * 0.3, competition 0.2, risk 0.1; margin has the weight of competition. A requested component counts three times; then all weights
 * are scaled to a sum of 1. Unknown words are reported.
 */

export const COMPONENTS = ['demand', 'trend', 'competition', 'margin', 'risk'] as const
export type Component = (typeof COMPONENTS)[number]
export type Weights = Readonly<Record<Component, number>>

const BASE: Weights = { demand: 0.4, trend: 0.3, competition: 0.2, margin: 0.2, risk: 0.1 }
const REQUESTED_FACTOR = 3

/** Word stems by component; the first match counts. */
const STEMS: readonly (readonly [Component, readonly string[]])[] = [
  ['margin', ['margin', 'profit', 'lucrative', 'markup', 'earn']],
  ['trend', ['trend', 'grow', 'rising', 'momentum', 'hot', 'viral', 'upcoming', 'new']],
  ['competition', ['compet', 'sellers', 'crowd', 'saturat', 'niche', 'rival', 'concentrat']],
  [
    'risk',
    ['risk', 'safe', 'stable', 'steady', 'reliab', 'season', 'volatil', 'evergreen', 'quality', 'rating', 'rated'],
  ],
  ['demand', ['demand', 'selling', 'popular', 'volume', 'sales', 'sold', 'units', 'bestseller', 'search']],
]

/** Words without a meaning of their own here. */
const FILLERS = new Set(
  'high higher highest low lower lowest good great best strong little few much many more most less least very with and or of the a an in for no not top big large small fast quick products product items item by to is are that have has should be only please find me some something any'.split(
    ' ',
  ),
)

export interface CriteriaWeights {
  readonly weights: Weights
  /** requested components, in the order of COMPONENTS */
  readonly requested: readonly Component[]
  /** words that match no component */
  readonly unknownWords: readonly string[]
}

export function parseCriteria(criteria: string | undefined): CriteriaWeights {
  const words = [...new Set((criteria ?? '').toLowerCase().match(/\p{L}+/gu) ?? [])]
  const found = new Set<Component>()
  const unknown: string[] = []
  for (const word of words) {
    const component = STEMS.find(([, stems]) => stems.some((stem) => word.startsWith(stem)))?.[0]
    if (component !== undefined) found.add(component)
    else if (!FILLERS.has(word)) unknown.push(word)
  }
  const raw = COMPONENTS.map((component) => BASE[component] * (found.has(component) ? REQUESTED_FACTOR : 1))
  const all = raw.reduce((sum, weight) => sum + weight, 0)
  const weights = Object.fromEntries(COMPONENTS.map((component, i) => [component, (raw[i] ?? 0) / all])) as Weights
  return { weights, requested: COMPONENTS.filter((component) => found.has(component)), unknownWords: unknown }
}
