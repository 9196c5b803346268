/**
 * Draws a chart as self-contained SVG: no script, nothing loaded from elsewhere, a title and a description for screen readers,
 * colours for light and dark. The same data gives the same text. Plot and its document load at first use.
 */

import type { PlotOptions } from '@observablehq/plot'
import { rounded } from '../figures.ts'
import { plainLabel } from './label.ts'
import { STYLE } from './palette.ts'

export type Plot = typeof import('@observablehq/plot')

export interface Chart {
  /** name of the file without .svg */
  readonly name: string
  readonly title: string
  readonly svg: string
}

export interface ChartOptions {
  readonly name: string
  readonly title: string
  /** the chart in a sentence with figures, for screen readers */
  readonly description: string
  /** there is nothing to draw, and the chart says so */
  readonly isEmpty: boolean
  readonly plot: (plot: Plot) => PlotOptions
}

/** The part of linkedom's element that is used here; its own types need those of a browser. */
interface DrawnElement {
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  prepend(...nodes: DrawnElement[]): void
  querySelectorAll(selector: string): Iterable<DrawnElement>
  remove(): void
  textContent: string
  outerHTML: string
}
interface DrawnDocument {
  createElementNS(space: string, name: string): DrawnElement
}

const SVG = 'http://www.w3.org/2000/svg'
const WIDTH = 720
const HEIGHT = 300
const CLASS = 'myrmex-chart'

export async function drawChart({ name, title, description, isEmpty, plot }: ChartOptions): Promise<Chart> {
  const { parseHTML, plot: library } = await import('./libraries.ts')
  const document = parseHTML('<!doctype html><html><body></body></html>').document as unknown as DrawnDocument
  const options = isEmpty ? nothing(library) : plot(library)
  const drawn = library.plot({
    width: WIDTH,
    height: HEIGHT,
    marginBottom: 36,
    className: CLASS,
    ...options,
    document: document as unknown as PlotOptions['document'],
  }) as unknown as DrawnElement

  const heading = element(document, 'title', plainLabel(title, 120))
  heading.setAttribute('id', `${name}-title`)
  const says = element(document, 'desc', plainLabel(description, 600))
  says.setAttribute('id', `${name}-desc`)
  for (const style of drawn.querySelectorAll('style')) style.remove()
  for (const name of COORDINATES) for (const part of drawn.querySelectorAll(`[${name}]`)) roundCoordinates(part, name)
  drawn.prepend(heading, says, element(document, 'style', STYLE))
  drawn.setAttribute('xmlns', SVG)
  drawn.setAttribute('font-size', '11')
  drawn.setAttribute('role', 'img')
  drawn.setAttribute('aria-labelledby', `${name}-title ${name}-desc`)
  return { name, title, svg: drawn.outerHTML }
}

function element(document: DrawnDocument, name: string, text: string): DrawnElement {
  const made = document.createElementNS(SVG, name)
  made.textContent = text
  return made
}

const COORDINATES = ['d', 'x', 'y', 'x1', 'x2', 'y1', 'y2', 'width', 'height', 'transform'] as const

/** More than two decimals are invisible and make up a third of the text. */
function roundCoordinates(part: DrawnElement, name: string): void {
  const value = part.getAttribute(name) ?? ''
  part.setAttribute(
    name,
    value.replace(/-?\d+\.\d{3,}/g, (digits) => String(rounded(Number(digits)))),
  )
}

const nothing = (plot: Plot): PlotOptions => ({
  height: 80,
  axis: null,
  marks: [plot.text(['There is nothing to show for this period.'], { frameAnchor: 'middle', fontSize: 13 })],
})
