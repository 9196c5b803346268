/**
 * Our smoothing against published results: what R's HoltWinters prints for AirPassengers, and the examples of Hyndman and
 * Athanasopoulos (Forecasting: principles and practice) with data and results as statsmodels' test_holtwinters.py has them.
 */
import { expect, test } from 'vitest'
import { seasonalInitialState } from './initial-state.ts'
import { fitSmoothing, withWeights } from './models/smoothing-model.ts'
import { advance, copy, type Shape } from './smoothing.ts'

/** Box, Jenkins and Reinsel: monthly airline passengers, in thousands, 1949 to 1960; `AirPassengers` of R. */
const AIR_PASSENGERS = `
  112 118 132 129 121 135 148 148 136 119 104 118 115 126 141 135 125 149 170 170 158 133 114 140
  145 150 178 163 172 178 199 199 184 162 146 166 171 180 193 181 183 218 230 242 209 191 172 194
  196 196 236 235 229 243 264 272 237 211 180 201 204 188 235 227 234 264 302 293 259 229 203 229
  242 233 267 269 270 315 364 347 312 274 237 278 284 277 317 313 318 374 413 405 355 306 271 306
  315 301 356 348 355 422 465 467 404 347 305 336 340 318 362 348 363 435 491 505 404 359 310 337
  360 342 406 396 420 472 548 559 463 407 362 405 417 391 419 461 472 535 622 606 508 461 390 432`
  .trim()
  .split(/\s+/)
  .map(Number)

/** What `HoltWinters(AirPassengers, seasonal = …)` of R prints. */
const R_PRINTS = [
  {
    shape: { trend: 'linear', season: 'additive' } as Shape,
    alpha: 0.2479595,
    beta: 0.03453373,
    gamma: 1,
    a: 477.827781,
    b: 3.127627,
    s: [
      -27.457685, -54.692464, -20.174608, 12.91912, 18.873607, 75.294426, 152.888368, 134.613464, 33.778349, -18.37906,
      -87.772408, -45.827781,
    ],
  },
  {
    shape: { trend: 'linear', season: 'multiplicative' } as Shape,
    alpha: 0.2755925,
    beta: 0.03269295,
    gamma: 0.8707292,
    a: 469.3232206,
    b: 3.0215391,
    s: [
      0.9464611, 0.8829239, 0.9717369, 1.0304825, 1.0476884, 1.1805272, 1.3590778, 1.3331706, 1.1083381, 0.9868813,
      0.8361333, 0.9209877,
    ],
  },
]

test.each(R_PRINTS)("with R's weights the coefficients of AirPassengers are R's, season $shape.season", (r) => {
  const state = seasonalInitialState(AIR_PASSENGERS, 12, r.shape)
  advance(state, r.shape, { ...r, phi: 1 }, AIR_PASSENGERS, AIR_PASSENGERS.length)
  expect(state.level).toBeCloseTo(r.a, 4)
  expect(state.trend).toBeCloseTo(r.b, 5)
  r.s.forEach((value, i) => {
    expect(state.seasons[i]).toBeCloseTo(value, 4)
  })
})

test.each(R_PRINTS)("our own search finds R's weights or better ones, season $shape.season", (r) => {
  const start = seasonalInitialState(AIR_PASSENGERS, 12, r.shape)
  const theirs = advance(copy(start), r.shape, { ...r, phi: 1 }, AIR_PASSENGERS, AIR_PASSENGERS.length)
  const ours = fitSmoothing(AIR_PASSENGERS, 12, r.shape, { close: 1e-6 })
  expect(ours.squares).toBeLessThanOrEqual(theirs)
  expect(ours.parameters.alpha).toBeCloseTo(r.alpha, 3)
  expect(ours.parameters.beta).toBeCloseTo(r.beta, 3)
  expect(ours.parameters.gamma).toBeCloseTo(r.gamma, 3)
})

/** Oil data, with the forecasts by simple smoothing: test_ses of statsmodels. */
const OIL = [
  446.6565229, 454.4733065, 455.662974, 423.6322388, 456.2713279, 440.5880501, 425.3325201, 485.1494479, 506.0481621,
  526.7919833, 514.268889, 494.2110193,
]
const SIMPLE: Shape = { trend: 'none', season: 'none' }

test.each([
  { alpha: 0.2, forecast: 484.802468 },
  { alpha: 0.6, forecast: 501.837461 },
])('simple smoothing of the oil data with alpha $alpha gives the published forecast', ({ alpha, forecast }) => {
  const start = { at: 1, level: OIL[0] as number, trend: 0, seasons: new Float64Array(0) }
  const fitted = withWeights(SIMPLE, { alpha, beta: 0, gamma: 0, phi: 0 }, start, OIL)
  expect(fitted.paths(OIL, [OIL.length], 1)[0]?.[0]).toBeCloseTo(forecast, 5)
})

test('fitted to the oil data, alpha and forecast are those published', () => {
  const fitted = fitSmoothing(OIL, 1, SIMPLE, { close: 1e-6 })
  expect(fitted.parameters.alpha).toBeCloseTo(0.892, 3)
  expect(fitted.paths(OIL, [OIL.length], 1)[0]?.[0]).toBeCloseTo(496.4935, 3)
})

/** Air passengers of Australia (`ausair`), with alpha 0.8 and beta 0.2: test_holt of statsmodels. */
const AUSTRALIA = [
  17.5534, 21.8601, 23.8866, 26.9293, 26.8885, 28.8314, 30.0751, 30.9535, 30.1857, 31.5797, 32.577569, 33.477398,
  39.021581, 41.386432, 41.596552,
]

test("Holt's linear trend with the published weights gives the published forecasts", () => {
  const [first, second] = AUSTRALIA as [number, number]
  // they start the level at the first value, with the trend to the second
  const start = { at: 0, level: first, trend: second - first, seasons: new Float64Array(0) }
  const shape: Shape = { trend: 'linear', season: 'none' }
  const fitted = withWeights(shape, { alpha: 0.8, beta: 0.2, gamma: 0, phi: 1 }, start, AUSTRALIA)
  const path = fitted.paths(AUSTRALIA, [AUSTRALIA.length], 5)[0] as Float64Array
  for (const [h, value] of [43.76, 45.59, 47.43, 49.27, 51.1].entries()) expect(path[h]).toBeCloseTo(value, 1)
})

/** `livestock`, damped trend with phi 0.98: test_holt_damp of statsmodels. */
const LIVESTOCK = [
  263.917747, 268.307222, 260.662556, 266.639419, 277.515778, 283.834045, 290.309028, 292.474198, 300.830694,
  309.286657, 318.331081, 329.37239, 338.883998, 339.244126, 328.600632, 314.255385, 314.459695, 321.413779, 329.789292,
  346.385165, 352.297882, 348.370515, 417.562922, 417.12357, 417.749459, 412.233904, 411.946817, 394.697075, 401.49927,
  408.270468, 414.2428,
]

test('the damped fit of the sheep is as good as the published one', () => {
  const fitted = fitSmoothing(LIVESTOCK, 1, { trend: 'damped', season: 'none' }, { close: 1e-6 })
  expect(fitted.squares).toBeLessThan(6036.57)
  expect(fitted.squares).toBeGreaterThan(6036.56 * 0.999)
  expect(Math.abs((fitted.parameters.alpha as number) - 0.98)).toBeLessThan(0.01)
  expect(fitted.parameters.beta).toBeCloseTo(0, 2)
  expect(fitted.parameters.phi).toBeCloseTo(0.98, 2)
  expect(Math.abs((fitted.parameters.level as number) - 257.36)).toBeLessThan(0.2)
  expect(Math.abs((fitted.parameters.trend as number) - 6.64)).toBeLessThan(0.03)
})
