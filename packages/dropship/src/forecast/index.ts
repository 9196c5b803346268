/** Forecasting: models, backtest, intervals. Knows numbers only, no shop. */

export { closedDays } from './closed-days.ts'
export { type Forecast, forecast, neededDays, type Range } from './forecast.ts'
