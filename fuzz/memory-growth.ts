/** Whether memory grows with the number of messages: the slope of the samples after the first third, which fill caches and compile code. */

export interface MemoryGrowth {
  readonly isLeak: boolean
  /** over the whole run */
  readonly bytes: number
  readonly text: string
}

const WARM = 1 / 3
/** Noise of what is not collected yet, and of what the engine optimises later. */
const ALLOWED_BYTES = 6 * 2 ** 20
const ALLOWED_SHARE = 0.1

const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** The slope of the straight line nearest to the samples, per sample. */
function slope(samples: readonly number[]): number {
  const middle = (samples.length - 1) / 2
  const mean = samples.reduce((sum, one) => sum + one, 0) / samples.length
  let [above, below] = [0, 0]
  for (const [at, sample] of samples.entries()) {
    above += (at - middle) * (sample - mean)
    below += (at - middle) ** 2
  }
  return below === 0 ? 0 : above / below
}

export interface AllowedGrowth {
  readonly bytes: number
  /** of what was in use at first */
  readonly share: number
}

export function memoryGrowth(
  samples: readonly number[],
  { bytes: least, share }: AllowedGrowth = { bytes: ALLOWED_BYTES, share: ALLOWED_SHARE },
): MemoryGrowth {
  const warm = samples.slice(Math.ceil(samples.length * WARM))
  const bytes = slope(warm) * Math.max(0, warm.length - 1)
  const allowed = Math.max(least, (warm[0] ?? 0) * share)
  return {
    isLeak: bytes > allowed,
    bytes,
    text: `Memory grows: ${samples.map(megabytes).join(', ')}. ${megabytes(allowed)} are allowed.`,
  }
}
