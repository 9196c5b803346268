/** Which motif a product is drawn as: by the words of its title, else of its niche, else by its category. */
import {
  bag,
  ball,
  bed,
  board,
  bottle,
  bowl,
  chair,
  cup,
  cushion,
  desk,
  dripper,
  frame,
  grinder,
  kettle,
  knife,
  lamp,
  pan,
  plant,
  pot,
  vase,
} from './home-motifs.ts'
import {
  band,
  brush,
  dumbbell,
  headphones,
  jar,
  keyboard,
  lantern,
  mat,
  mirror,
  pack,
  parcel,
  phone,
  speaker,
  tent,
  watch,
} from './other-motifs.ts'
import type { Motif } from './shapes.ts'

/** A stand is a desk's only where desks are sold, and one balances on another board than one cuts on. */
const BY_WORD: readonly (readonly [pattern: RegExp, motif: Motif, only?: RegExp])[] = [
  [/\b(dripper|pour.?over|filter|chemex|brewer|french press|carafe)\b/i, dripper],
  [/\b(kettle|teapot|gooseneck)\b/i, kettle],
  [/\b(grinder|mill|tamper|portafilter)\b/i, grinder],
  [/\b(beans?|blend|roast|treats?|kibble|tea)\b/i, bag],
  [/\b(knife|knives|peeler|shears)\b/i, knife],
  [/\b(board|tray)\b/i, board, /kitchen|coffee|decor/i],
  [/\b(skillet|pan|wok|griddle)\b/i, pan],
  [/\b(pot|cooker|casserole|saucepan)\b/i, pot],
  [/\b(mug|cup|tumbler)s?\b/i, cup],
  [/\b(desk|table|monitor|riser|shelf|stand|drawer)\b/i, desk, /office|tech|decor|outdoor/i],
  [/\b(chair|stool|seat)s?\b/i, chair],
  [/\b(lantern|torch|headlamp)\b/i, lantern],
  [/\b(lamp|light|lighting|candle)s?\b/i, lamp],
  [/\b(planter|plant|pot plant|fern|succulent)s?\b/i, plant],
  [/\b(vase)s?\b/i, vase],
  [/\b(print|frame|poster|wall art|art)s?\b/i, frame],
  [/\b(cushion|pillow|throw|blanket|rug)s?\b/i, cushion],
  [/\b(cat tree|bed|crate|cave)s?\b/i, bed],
  [/\b(bowl|feeder|fountain)s?\b/i, bowl],
  [/\b(ball|toy|chew)s?\b/i, ball],
  [/\b(dumbbell|kettlebell|weight|barbell)s?\b/i, dumbbell],
  [/\b(mat|roller|yoga)s?\b/i, mat],
  [/\b(band|rope|strap|leash|collar|harness)s?\b/i, band],
  [/\b(tent|tarp|hammock|sleeping)s?\b/i, tent],
  [/\b(backpack|pack|rucksack|bag|duffel)s?\b/i, pack],
  [/\b(brush|roller|comb)(es|s)?\b/i, brush],
  [/\b(mirror)s?\b/i, mirror],
  [/\b(cream|balm|mask|jar|scrub|clay)s?\b/i, jar],
  [/\b(bottle|flask|serum|oil|shampoo|spray|lotion|cold brew)s?\b/i, bottle],
  [/\b(headphone|earbud|headset)s?\b/i, headphones],
  [/\b(speaker|soundbar)s?\b/i, speaker],
  [/\b(keyboard|keypad|mouse)\b/i, keyboard],
  [/\b(watch|tracker)(es|s)?\b/i, watch],
  [/\b(phone|charger|power|cable|hub|case)s?\b/i, phone],
]

const BY_CATEGORY: Readonly<Record<string, Motif>> = {
  coffee: cup,
  'home decor': vase,
  office: desk,
  kitchen: pot,
  pets: bowl,
  fitness: dumbbell,
  outdoor: tent,
  beauty: jar,
  tech: headphones,
}

/** The thing itself stands at a title's end ("Oak Desk Lamp" is a lamp), so the last word that names a shape decides. */
export function motifFor(title: string, niche: string, category: string): Motif {
  return lastNamed(title, category) ?? lastNamed(niche, category) ?? BY_CATEGORY[category.toLowerCase()] ?? parcel
}

function lastNamed(words: string, category: string): Motif | undefined {
  const fitting = BY_WORD.filter(([, , only]) => only === undefined || only.test(category))
  const found = fitting.map(([pattern, motif]) => ({ at: words.search(pattern), motif })).filter(({ at }) => at >= 0)
  return found.sort((one, two) => two.at - one.at)[0]?.motif
}
