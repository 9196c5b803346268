/** Which motif a product is drawn as: by the words of its title, else of its niche, else by its category. */
import * as home from './home-motifs.ts'
import * as other from './other-motifs.ts'
import type { Motif } from './shapes.ts'

/** A stand is a desk's only where desks are sold, and one balances on another board than one cuts on. */
const BY_WORD: readonly (readonly [pattern: RegExp, motif: Motif, only?: RegExp])[] = [
  [/\b(dripper|pour.?over|filter|chemex|brewer|french press|carafe)\b/i, home.dripper],
  [/\b(kettle|teapot|gooseneck)\b/i, home.kettle],
  [/\b(grinder|mill|tamper|portafilter)\b/i, home.grinder],
  [/\b(beans?|blend|roast|treats?|kibble|tea)\b/i, home.bag],
  [/\b(knife|knives|peeler|shears)\b/i, home.knife],
  [/\b(board|tray)\b/i, home.board, /kitchen|coffee|decor/i],
  [/\b(skillet|pan|wok|griddle)\b/i, home.pan],
  [/\b(pot|cooker|casserole|saucepan)\b/i, home.pot],
  [/\b(mug|cup|tumbler)s?\b/i, home.cup],
  [/\b(desk|table|monitor|riser|shelf|stand|drawer)\b/i, home.desk, /office|tech|decor|outdoor/i],
  [/\b(chair|stool|seat)s?\b/i, home.chair],
  [/\b(lantern|torch|headlamp)\b/i, other.lantern],
  [/\b(lamp|light|lighting|candle)s?\b/i, home.lamp],
  [/\b(planter|plant|pot plant|fern|succulent)s?\b/i, home.plant],
  [/\b(vase)s?\b/i, home.vase],
  [/\b(print|frame|poster|wall art|art)s?\b/i, home.frame],
  [/\b(cushion|pillow|throw|blanket|rug)s?\b/i, home.cushion],
  [/\b(cat tree|bed|crate|cave)s?\b/i, home.bed],
  [/\b(bowl|feeder|fountain)s?\b/i, home.bowl],
  [/\b(ball|toy|chew)s?\b/i, home.ball],
  [/\b(dumbbell|kettlebell|weight|barbell)s?\b/i, other.dumbbell],
  [/\b(mat|roller|yoga)s?\b/i, other.mat],
  [/\b(band|rope|strap|leash|collar|harness)s?\b/i, other.band],
  [/\b(tent|tarp|hammock|sleeping)s?\b/i, other.tent],
  [/\b(backpack|pack|rucksack|bag|duffel)s?\b/i, other.pack],
  [/\b(brush|roller|comb)(es|s)?\b/i, other.brush],
  [/\b(mirror)s?\b/i, other.mirror],
  [/\b(cream|balm|mask|jar|scrub|clay)s?\b/i, other.jar],
  [/\b(bottle|flask|serum|oil|shampoo|spray|lotion|cold brew)s?\b/i, home.bottle],
  [/\b(headphone|earbud|headset)s?\b/i, other.headphones],
  [/\b(speaker|soundbar)s?\b/i, other.speaker],
  [/\b(keyboard|keypad|mouse)\b/i, other.keyboard],
  [/\b(watch|tracker)(es|s)?\b/i, other.watch],
  [/\b(phone|charger|power|cable|hub|case)s?\b/i, other.phone],
]

const BY_CATEGORY: Readonly<Record<string, Motif>> = {
  coffee: home.cup,
  'home decor': home.vase,
  office: home.desk,
  kitchen: home.pot,
  pets: home.bowl,
  fitness: other.dumbbell,
  outdoor: other.tent,
  beauty: other.jar,
  tech: other.headphones,
}

/** The thing itself stands at a title's end ("Oak Desk Lamp" is a lamp), so the last word that names a shape decides. */
export function motifFor(title: string, niche: string, category: string): Motif {
  return lastNamed(title, category) ?? lastNamed(niche, category) ?? BY_CATEGORY[category.toLowerCase()] ?? other.parcel
}

function lastNamed(words: string, category: string): Motif | undefined {
  const fitting = BY_WORD.filter(([, , only]) => only === undefined || only.test(category))
  const found = fitting.map(([pattern, motif]) => ({ at: words.search(pattern), motif })).filter(({ at }) => at >= 0)
  return found.sort((one, two) => two.at - one.at)[0]?.motif
}
