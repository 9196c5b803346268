/**
 * Runs work as if it were another time in another time zone. What then comes out differently depends on when and where it runs.
 * Only the clock of this process is moved: timers, and the clock of the machine, are as they were.
 */

export interface Moment {
  readonly timeZone: string
  /** milliseconds that the clock is ahead */
  readonly ahead: number
}

export const HERE_AND_NOW: Moment = { timeZone: 'UTC', ahead: 0 }

const DAY_MS = 86_400_000
/** Another year, month, day, day of the week, hour and minute, at any time; also in local time, since the time zones are fixed. */
export const ELSEWHERE: Moment = { timeZone: 'Asia/Kathmandu', ahead: 401 * DAY_MS + 5 * 3_600_000 + 7 * 60_000 }

export async function atMoment<T>({ timeZone, ahead }: Moment, work: () => Promise<T>): Promise<T> {
  const { Date: realDate } = globalThis
  const { TZ: before } = process.env
  process.env.TZ = timeZone
  if (ahead !== 0) globalThis.Date = movedDate(realDate, ahead)
  try {
    return await work()
  } finally {
    globalThis.Date = realDate
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  }
}

function movedDate(real: DateConstructor, ahead: number): DateConstructor {
  const now = (): number => real.now() + ahead
  return new Proxy(real, {
    construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
    apply: () => new real(now()).toString(),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  })
}
