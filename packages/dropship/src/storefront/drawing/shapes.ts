/** The building blocks of motifs: four SVG shapes, and the tints of a product. */

export interface Tints {
  readonly main: string
  readonly shade: string
  readonly shine: string
  readonly dark: string
  readonly pale: string
  readonly wood: string
}

export type Motif = (tints: Tints) => string

export const path = (d: string, fill: string): string => `<path d="${d}" fill="${fill}"/>`
export const line = (d: string, stroke: string, width: number): string =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"/>`
export const rect = (x: number, y: number, w: number, h: number, r: number, fill: string): string =>
  `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="${r}" fill="${fill}"/>`
export const oval = (x: number, y: number, rx: number, ry: number, fill: string): string =>
  `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}"/>`
