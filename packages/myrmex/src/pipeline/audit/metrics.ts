/**
 * Metrics of every call, in plain fields in memory: cheap enough to be always on. It knows no output format
 * (see transport/http/metrics.ts).
 */
import { getOrMake } from '../../protocol/get-or-make.ts'
import type { Tool } from '../../tool/tool.ts'
import { missingTool } from '../find.ts'

/** Upper bounds of the duration histogram, in milliseconds: durations are whole ones. */
export const BOUNDS_MS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000]

/** All calls of unknown names count together, because callers can make up any number of them. No tool has a name without a dot. */
const UNKNOWN_TOOL = 'unknown'
const UNKNOWN_RUN = missingTool('').run

/** Upstream tools may have error types of their own; at most this many per tool are counted separately. */
const MAX_OUTCOMES = 50
const OTHER = 'other'

export interface OutcomeCount {
  readonly outcome: string
  /** empty where the call did not fail */
  readonly error_type: string
  count: number
}

/** The calls of one version of a tool. */
export class ToolMetrics {
  readonly name: string
  readonly version: string
  readonly outcomes: OutcomeCount[] = []
  /** calls by the first bound that is not exceeded; the last bucket is for the others */
  readonly buckets: number[] = new Array(BOUNDS_MS.length + 1).fill(0)
  sum_ms = 0

  constructor(name: string, version: string) {
    this.name = name
    this.version = version
  }

  count(outcome: string, errorType: string, durationMs: number): void {
    this.#ending(outcome, errorType).count++
    let place = 0
    while (place < BOUNDS_MS.length && durationMs > (BOUNDS_MS[place] as number)) place++
    this.buckets[place] = (this.buckets[place] as number) + 1
    this.sum_ms += durationMs
  }

  /** There are few, and nearly always it is the first. */
  #ending(outcome: string, error_type: string): OutcomeCount {
    for (const ending of this.outcomes) {
      if (ending.outcome === outcome && ending.error_type === error_type) return ending
    }
    if (this.outcomes.length >= MAX_OUTCOMES && error_type !== OTHER) return this.#ending(outcome, OTHER)
    const ending = { outcome, error_type, count: 0 }
    this.outcomes.push(ending)
    return ending
  }
}

export class Counter {
  readonly name: string
  readonly help: string
  value = 0

  constructor(name: string, help: string) {
    this.name = name
    this.help = help
  }

  inc(by = 1): void {
    this.value += by
  }
}

export interface Gauge {
  readonly name: string
  readonly help: string
  /** those registered under one name are added up */
  readonly readers: Set<() => number>
}

export class CallMetrics {
  /** by name and version, so that a reloaded definition continues its counts */
  readonly #tools = new Map<string, ToolMetrics>()
  readonly #known = new WeakMap<Tool, ToolMetrics>()
  readonly #counters = new Map<string, Counter>()
  readonly #gauges = new Map<string, Gauge>()
  #begun = 0
  #ended = 0

  /** A call starts; `end` is its end. */
  begin(): void {
    this.#begun++
  }

  /** A call has ended. Its numbers are counted by the metrics of its tool. */
  end(): void {
    this.#ended++
  }

  /** For repeated counting of the same tool. */
  of(tool: Tool): ToolMetrics {
    return getOrMake(this.#known, tool, () => {
      const [name, version] = tool.run === UNKNOWN_RUN ? [UNKNOWN_TOOL, ''] : [tool.name, tool.version]
      return getOrMake(this.#tools, `${name} ${version}`, () => new ToolMetrics(name, version))
    })
  }

  get inFlight(): number {
    return Math.max(0, this.#begun - this.#ended)
  }

  tools(): Iterable<ToolMetrics> {
    return this.#tools.values()
  }

  /** Registers a number that is read on demand. Returns a function that removes it. */
  gauge(name: string, help: string, read: () => number): () => void {
    const gauge = getOrMake(this.#gauges, name, () => ({ name, help, readers: new Set() }))
    gauge.readers.add(read)
    return () => {
      gauge.readers.delete(read)
      if (gauge.readers.size === 0) this.#gauges.delete(name)
    }
  }

  gauges(): Iterable<Gauge> {
    return this.#gauges.values()
  }

  counter(name: string, help: string): Counter {
    return getOrMake(this.#counters, name, () => new Counter(name, help))
  }

  counters(): Iterable<Counter> {
    return this.#counters.values()
  }
}
