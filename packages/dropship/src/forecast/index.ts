/** Forecasting: models, backtest, intervals. Works on numbers only and knows no shop. */
export { closedDays } from './closed-days.ts'
export { type Forecast, forecast, neededDays } from './forecast.ts'
