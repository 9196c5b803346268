/** Forecasting: models, backtest, intervals. Knows numbers only, no shop. */

export { closedDays } from './closed.ts'
export { type BacktestRow, type Forecast, type ForecastOptions, forecast, neededDays, type Range } from './forecast.ts'
