/**
 * GET /metrics: what was counted, in the text format of Prometheus, written by prom-client. It is loaded with the first
 * scrape, and our numbers are handed to it only then: no call passes through it.
 */
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import type { Metric, Registry } from 'prom-client'
import { BOUNDS_MS, type CallMetrics, type ToolMetrics } from '../../pipeline/audit/metrics.ts'

type PromClient = typeof import('prom-client')

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** where it is another than the metric's own */
  readonly metricName?: string
}

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
}

/** Of the process, and so one for all servers in it. */
let ofProcess: Registry | undefined

export async function openMetrics(measures: CallMetrics): Promise<Metrics> {
  const { default: prom } = await import('prom-client')
  if (ofProcess === undefined) {
    ofProcess = new prom.Registry()
    prom.collectDefaultMetrics({ register: ofProcess })
  }
  const standard = ofProcess
  return {
    contentType: standard.contentType,
    text: async () => `${await ours(prom, measures).metrics()}\n${await standard.metrics()}`,
  }
}

function ours(prom: PromClient, measures: CallMetrics): Registry {
  const registry = new prom.Registry()
  const add = (
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    help: string,
    values: readonly Sample[],
  ): void => {
    // All that a registry asks of a metric when it writes it down.
    registry.registerMetric({ name, help, type, get: async () => ({ name, help, type, values }) } as unknown as Metric)
  }
  const tools = [...measures.tools()]
  add('gauge', 'myrmex_build_info', 'Which Myrmex this is, and on which Node; always 1.', [{ labels: BUILD, value: 1 }])
  add('counter', 'myrmex_calls_total', 'Calls that have ended, by how they ended.', tools.flatMap(endings))
  add('histogram', HISTOGRAM, 'How long calls took, the wait for approval included.', tools.flatMap(durations))
  add('gauge', 'myrmex_calls_in_flight', 'Calls that have started and not ended.', [plain(measures.inFlight)])
  for (const { name, help, readers } of measures.gauges()) {
    add('gauge', name, help, [plain([...readers].reduce((sum, read) => sum + read(), 0))])
  }
  for (const { name, help, value } of measures.counters()) add('counter', name, help, [plain(value)])
  return registry
}

const HISTOGRAM = 'myrmex_call_duration_seconds'

const plain = (value: number): Sample => ({ labels: {}, value })

const endings = ({ name, version, outcomes: all }: ToolMetrics): Sample[] =>
  all.map(({ outcome, error_type, count }) => ({ labels: { tool: name, version, outcome, error_type }, value: count }))

function durations({ name, version, buckets, sum_ms }: ToolMetrics): Sample[] {
  const labels = { tool: name, version }
  let count = 0
  const samples = buckets.map((within, place): Sample => {
    count += within
    const bound = BOUNDS_MS[place]
    const le = bound === undefined ? '+Inf' : bound / 1000
    return { metricName: `${HISTOGRAM}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...samples,
    { metricName: `${HISTOGRAM}_sum`, labels, value: sum_ms / 1000 },
    { metricName: `${HISTOGRAM}_count`, labels, value: count },
  ]
}

const BUILD = { version: ownVersion(), node: process.version }

/** From the package.json above this file, which is another in the published form. */
function ownVersion(): string {
  const file = findPackageJSON(import.meta.url)
  return file === undefined ? 'unknown' : String(JSON.parse(readFileSync(file, 'utf8')).version)
}
