/**
 * GET /metrics: counters in the Prometheus text format, written by prom-client. It is loaded by the first scrape and gets the numbers
 * only then, so it costs calls nothing.
 */
import type { Metric, Registry } from 'prom-client'
import { BOUNDS_MS, type CallMetrics, type ToolMetrics } from '../../pipeline/audit/metrics.ts'
import { MYRMEX_VERSION } from '../../protocol/versions.ts'

type PromClient = typeof import('prom-client')

interface Sample {
  readonly labels: Readonly<Record<string, string | number>>
  readonly value: number
  /** if it differs from the metric's own */
  readonly metricName?: string
}

export interface Metrics {
  readonly contentType: string
  text(): Promise<string>
}

/** Shared by all servers of the process. */
let processMetrics: Registry | undefined

export async function openMetrics(measures: CallMetrics): Promise<Metrics> {
  const { prom } = await import('./libraries.ts')
  if (processMetrics === undefined) {
    processMetrics = new prom.Registry()
    prom.collectDefaultMetrics({ register: processMetrics })
  }
  const standard = processMetrics
  return {
    contentType: standard.contentType,
    text: async () => `${await ownMetrics(prom, measures).metrics()}\n${await standard.metrics()}`,
  }
}

function ownMetrics(prom: PromClient, measures: CallMetrics): Registry {
  const registry = new prom.Registry()
  const add = (
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    help: string,
    values: readonly Sample[],
  ): void => {
    // The fields that a registry reads.
    registry.registerMetric({ name, help, type, get: async () => ({ name, help, type, values }) } as unknown as Metric)
  }
  const tools = [...measures.tools()]
  add('gauge', 'myrmex_build_info', 'Versions of Myrmex and Node; always 1.', [{ labels: BUILD, value: 1 }])
  add('counter', 'myrmex_calls_total', 'Finished calls by outcome.', tools.flatMap(endings))
  add('histogram', HISTOGRAM, 'Duration of calls, including the wait for approval.', tools.flatMap(durations))
  add('gauge', 'myrmex_calls_in_flight', 'Calls in progress.', [unlabelled(measures.inFlight)])
  for (const { name, help, readers } of measures.gauges()) {
    add('gauge', name, help, [unlabelled([...readers].reduce((sum, read) => sum + read(), 0))])
  }
  for (const { name, help, value } of measures.counters()) add('counter', name, help, [unlabelled(value)])
  return registry
}

const HISTOGRAM = 'myrmex_call_duration_seconds'

const unlabelled = (value: number): Sample => ({ labels: {}, value })

const endings = ({ name, version, outcomes: all }: ToolMetrics): Sample[] =>
  all.map(({ outcome, error_type, count }) => ({ labels: { tool: name, version, outcome, error_type }, value: count }))

function durations({ name, version, buckets, sum_ms }: ToolMetrics): Sample[] {
  const labels = { tool: name, version }
  let count = 0
  const samples = buckets.map((within, index): Sample => {
    count += within
    const bound = BOUNDS_MS[index]
    const le = bound === undefined ? '+Inf' : bound / 1000
    return { metricName: `${HISTOGRAM}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...samples,
    { metricName: `${HISTOGRAM}_sum`, labels, value: sum_ms / 1000 },
    { metricName: `${HISTOGRAM}_count`, labels, value: count },
  ]
}

const BUILD = { version: MYRMEX_VERSION, node: process.version }
