/** A legend inside the SVG, so that it cannot be lost. */
import type { Markish } from '@observablehq/plot'
import type { Plot } from './drawing.ts'
import { plainLabel } from './label.ts'
import { ink } from './palette.ts'

/** Above the frame: a chart with a legend needs a top margin of 44 pixels. */
export function legend(plot: Plot, labels: readonly string[], colours: readonly string[]): Markish[] {
  let x = 90
  return labels.flatMap((text, index) => {
    const label = plainLabel(text, 24)
    const here = x
    x += 24 + [...label].length * 6.5
    return [
      plot.text(['■'], {
        frameAnchor: 'top-left',
        dx: here,
        dy: -34,
        fontSize: 14,
        fill: colours[index] ?? ink('ink'),
      }),
      plot.text([label], { frameAnchor: 'top-left', dx: here + 14, dy: -32, fontSize: 11 }),
    ]
  })
}
