/** Draws an SVG picture of a product from its data. The same product always gets the same picture. */

import { createHash } from 'node:crypto'
import { escapeHtml } from 'myrmex/text'
import type { Listing } from '../../ports.ts'
import { motifFor } from './motif-for.ts'
import type { Tints } from './shapes.ts'

const SIZE = 400

/** Colour names in product data, and how they are drawn. */
const COLOURS: Readonly<Record<string, readonly [hue: number, saturation: number, light: number]>> = {
  red: [4, 62, 50],
  orange: [26, 78, 54],
  yellow: [46, 84, 56],
  green: [140, 32, 42],
  teal: [178, 42, 38],
  blue: [214, 52, 50],
  navy: [222, 44, 30],
  blush: [350, 48, 78],
  mustard: [44, 66, 50],
  forest: [150, 38, 28],
  purple: [270, 34, 50],
  pink: [342, 60, 70],
  brown: [24, 36, 36],
  walnut: [24, 40, 32],
  oak: [34, 46, 58],
  bamboo: [40, 48, 62],
  beige: [36, 38, 76],
  cream: [42, 54, 84],
  sand: [38, 40, 70],
  white: [40, 14, 94],
  grey: [214, 8, 56],
  gray: [214, 8, 56],
  silver: [214, 10, 72],
  steel: [210, 10, 62],
  black: [220, 10, 20],
  charcoal: [216, 10, 30],
  graphite: [216, 10, 34],
  gold: [44, 62, 52],
  brass: [42, 54, 48],
  copper: [20, 54, 48],
  olive: [72, 30, 40],
  sage: [110, 18, 58],
  terracotta: [14, 50, 50],
}

const hsl = (hue: number, saturation: number, light: number): string =>
  `hsl(${Math.round(((hue % 360) + 360) % 360)} ${Math.round(saturation)}% ${Math.round(light)}%)`

export function draw({
  product_id,
  title,
  category,
  niche,
  facts,
}: Pick<Listing, 'product_id' | 'title' | 'category' | 'niche' | 'facts'>): string {
  const dice = createHash('sha256').update(product_id).digest()
  const roll = (at: number, sides: number): number => (dice[at % dice.length] as number) % sides
  const hue = groundHue(category) + roll(0, 28) - 14
  const tints = tintsFor(
    `${facts.colour ?? facts.color ?? ''} ${title} ${Object.values(facts).join(' ')}`,
    hue + 150 + roll(1, 60),
  )
  const motif = motifFor(title, niche, category)
  const sun = { x: 130 + roll(2, 140), y: 110 + roll(3, 60), r: 92 + roll(4, 50) }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE} ${SIZE}" width="800" height="800" role="img" aria-label="${escapeHtml(title)}">`,
    `<defs><linearGradient id="g" x1="0" y1="0" x2="${roll(5, 2)}" y2="1"><stop offset="0" stop-color="${hsl(hue, 36, 93)}"/><stop offset="1" stop-color="${hsl(hue + 18, 34, 84)}"/></linearGradient></defs>`,
    `<rect width="${SIZE}" height="${SIZE}" fill="url(#g)"/>`,
    `<circle cx="${sun.x}" cy="${sun.y}" r="${sun.r}" fill="${hsl(hue + 24, 46, 88)}"/>`,
    `<path d="M0 ${300 + roll(6, 12)}Q${120 + roll(7, 160)} ${276 + roll(8, 20)} ${SIZE} ${298 + roll(9, 14)}V${SIZE}H0Z" fill="${hsl(hue + 8, 30, 78)}"/>`,
    `<ellipse cx="200" cy="326" rx="112" ry="13" fill="${hsl(hue, 30, 40)}" opacity="0.22"/>`,
    motif(tints),
    '</svg>',
  ].join('')
}

/** Each category has one background hue, so that its list looks uniform. */
const GROUNDS: Readonly<Record<string, number>> = {
  coffee: 32,
  'home decor': 14,
  office: 214,
  kitchen: 50,
  pets: 158,
  fitness: 356,
  outdoor: 110,
  beauty: 328,
  tech: 256,
}

const groundHue = (category: string): number =>
  GROUNDS[category.toLowerCase()] ?? createHash('sha256').update(category).digest().readUInt16BE(0) % 360

function tintsFor(said: string, otherwise: number): Tints {
  const words = said.toLowerCase().match(/[a-z]+/g) ?? []
  const named = words.map((word) => COLOURS[word]).find((colour) => colour !== undefined)
  const [hue, saturation, light] = named ?? [otherwise, 42, 52]
  return {
    main: hsl(hue, saturation, light),
    shade: hsl(hue, saturation, Math.max(8, light - 14)),
    shine: hsl(hue, Math.max(0, saturation - 8), Math.min(97, light + 14)),
    dark: hsl(hue + 10, 14, 22),
    pale: hsl(hue + 30, 30, 95),
    wood: hsl(28, 40, 52),
  }
}
