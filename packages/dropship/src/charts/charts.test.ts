import { html, parse } from 'parse5'
import { describe, expect, test } from 'vitest'
import { addDays } from '../day.ts'
import { weeklyMean } from './axes.ts'
import {
  campaignChart,
  channelChart,
  forecastChart,
  productChart,
  revenueChart,
  sparkline,
  textChart,
} from './index.ts'
import { distinctLabels, plainLabel } from './label.ts'

const days = Array.from({ length: 40 }, (_, at) => ({
  day: addDays('2026-09-22', at),
  revenue: 100 + (at % 7) * 10,
  profit: at % 7 === 0 ? -5 : 20,
}))
const HOSTILE = '</text><script>alert(1)</script>"\'&\u0000\u001b[31m\u202e\ud800'

const all = () =>
  Promise.all([
    revenueChart(days, 'EUR'),
    channelChart(
      days.flatMap(({ day, revenue }) => [
        { day, channel: 'organic', revenue },
        { day, channel: HOSTILE, revenue: revenue / 2 },
      ]),
      'EUR',
    ),
    productChart([{ product_name: HOSTILE, revenue: 90, profit: -4 }], 'EUR'),
    campaignChart([{ campaign_id: HOSTILE, product_name: HOSTILE, platform: HOSTILE, spend: 30, revenue: 20 }], 'EUR'),
    forecastChart(
      days.map(({ day, revenue }) => ({ day, value: revenue })),
      [{ day: '2026-11-01', expected: 9, low: 5, high: 14 }],
      HOSTILE,
      0.8,
    ),
  ])

type Node = { nodeName: string; attrs?: { name: string; value: string }[]; childNodes?: Node[]; namespaceURI?: string }
function elements(node: Node): Node[] {
  return [node, ...(node.childNodes ?? []).flatMap(elements)]
}

describe('a chart', () => {
  test('is one SVG with title and description, whatever its labels hold', async () => {
    for (const { svg, name } of await all()) {
      const nodes = elements(parse(svg) as Node)
      const tags = new Set(nodes.filter(({ namespaceURI }) => namespaceURI === html.NS.SVG).map((one) => one.nodeName))
      expect(tags).toContain('title')
      expect(tags).toContain('desc')
      expect([...tags].filter((tag) => /script|image|use|foreignObject|^a$/.test(tag))).toEqual([])
      expect(nodes.filter(({ nodeName }) => nodeName === 'script')).toEqual([])
      const attributes = nodes.flatMap(({ attrs = [] }) => attrs)
      expect(attributes.filter(({ name: key }) => /^on|href|src/.test(key))).toEqual([])
      expect(svg).toContain(`aria-labelledby="${name}-title ${name}-desc"`)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: that they are gone is the point
      expect(svg).not.toMatch(/[\u0000-\u0008\u001b\u202e]|\p{Cs}/u)
      expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/url\(|https?:/)
    }
  })

  test('shows hostile labels as the text they are', async () => {
    const { svg } = await productChart([{ product_name: HOSTILE, revenue: 90, profit: 4 }], 'EUR')
    expect(svg).toContain('&lt;/text&gt;&lt;script&gt;')
  })

  test('is the same for the same data', async () => {
    expect(await all()).toEqual(await all())
  })

  test('of nothing says that there is nothing', async () => {
    const empty = [revenueChart([], 'EUR'), channelChart([], 'EUR'), productChart([], 'EUR'), campaignChart([], 'EUR')]
    for (const { svg } of await Promise.all([...empty, forecastChart([], [], 'Sales forecast', 0.8)]))
      expect(svg).toContain('nothing to show')
  })

  test('has a bar for each product of the ten that sold most, as long as its revenue', async () => {
    const products = Array.from({ length: 12 }, (_, at) => ({
      product_name: `P${at}`,
      revenue: (at + 1) * 10,
      profit: 0,
    }))
    const { svg } = await productChart(products, 'EUR')
    const bars = /<g[^>]*fill-opacity="0.35"[^>]*>(.*?)<\/g>/.exec(svg)?.[1] ?? ''
    const widths = [...bars.matchAll(/ width="([\d.]+)"/g)].map(([, width]) => Number(width))
    expect(widths).toHaveLength(10)
    expect((widths[0] ?? 0) / (widths[9] ?? 1)).toBeCloseTo(120 / 30, 6)
    expect(svg).not.toContain('>P0<')
  })
})

test('the mean of seven days takes the week out', () => {
  const week = [1, 2, 3, 4, 5, 6, 7]
  expect(weeklyMean([...week, ...week]).slice(6)).toEqual(Array(8).fill(4))
})

test('labels are cut to length by characters and kept apart', () => {
  expect(plainLabel('👍👍👍👍', 3)).toBe('👍👍…')
  expect(distinctLabels(['Lamp', 'Lamp', '\u200b'], 9)).toEqual(['Lamp', 'Lamp (2)', '(no name)'])
})

describe('in a terminal', () => {
  test('bars are as long as their values and losses are light', () => {
    expect(
      textChart(
        [
          { label: 'organic', value: 8 },
          { label: 'ads\u001b[2J', value: 3 },
          { label: 'loss', value: -4 },
        ],
        String,
        8,
      ),
    ).toBe('organic  ████████ 8\nads [2J  ███ 3\nloss     ░░░░ -4')
  })

  test('a line has the highest value highest and no more characters than wanted', () => {
    expect(sparkline([0, 1, 2, 4])).toBe('▁▃▅█')
    expect(sparkline([0, 0, 0])).toBe('▁▁▁')
    expect(sparkline(Array(400).fill(3), 60)).toBe('█'.repeat(60))
    expect(sparkline([])).toBe('')
  })
})
