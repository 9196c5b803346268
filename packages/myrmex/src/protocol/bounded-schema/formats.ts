/**
 * The formats that are checked in foreign schemas. Each takes linear time for any text; ones with a bounded length reject longer texts
 * first. Unknown formats are annotations.
 */
import { net } from '../builtin.ts'
import type { Evaluation } from './evaluation.ts'

type TextTest = (text: string) => boolean

const matching =
  (expression: RegExp, longest = Number.POSITIVE_INFINITY): TextTest =>
  (text) =>
    text.length <= longest && expression.test(text)

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isDate: TextTest = (text) => {
  const found = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text)
  if (found === null) return false
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number]
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const last = month === 2 && !isLeap ? 28 : (DAYS[month - 1] ?? 0)
  return day >= 1 && day <= last
}

const TIME = /^(\d\d):(\d\d):(\d\d(?:\.\d+)?)(z|([+-])(\d\d)(?::?(\d\d))?)?$/i

const isTime =
  (needsZone: boolean): TextTest =>
  (text) => {
    const found = TIME.exec(text)
    if (found === null) return false
    const [, hour, minute, second, zone, sign, zoneHour = '0', zoneMinute = '0'] = found
    if (needsZone && zone === undefined) return false
    if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return false
    if (Number(hour) <= 23 && Number(minute) <= 59 && Number(second) < 60) return true
    // A leap second is the last of a day in UTC.
    const offset = (sign === '-' ? -1 : 1) * (Number(zoneHour) * 60 + Number(zoneMinute))
    const minutes = (((Number(hour) * 60 + Number(minute) - offset) % 1440) + 1440) % 1440
    return Number(hour) <= 23 && Number(minute) <= 59 && Number(second) < 61 && minutes === 1439
  }

const isDateTime =
  (needsZone: boolean): TextTest =>
  (text) => {
    const [date = '', time = '', ...more] = text.split(/t|\s/i, 3)
    return more.length === 0 && isDate(date) && isTime(needsZone)(time)
  }

const isRegex: TextTest = (text) => {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

/** Characters that a URI may have: ASCII without spaces, quotes and brackets, and whole percent-encodings. */
const URI_TEXT = "(?:[A-Za-z0-9._~:/?#[\\]@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*"
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'

const TEXTS: Readonly<Record<string, TextTest>> = {
  date: isDate,
  time: isTime(true),
  'iso-time': isTime(false),
  'date-time': isDateTime(true),
  'iso-date-time': isDateTime(false),
  duration: matching(/^P(?!$)(?:(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?|\d+W)$/, 200),
  uri: matching(new RegExp(`^[A-Za-z][A-Za-z0-9+.-]*:${URI_TEXT}$`)),
  'uri-reference': matching(new RegExp(`^${URI_TEXT}$`)),
  'uri-template': matching(/^(?:[^\s\p{Cc}"'<>%\\^`{|}]|%[0-9a-f]{2}|\{[^{}]*\})*$/iu),
  url: matching(/^(?:https?|ftp):\/\/[^\s/?#]+(?:[/?#]\S*)?$/i),
  email: matching(new RegExp(`^[a-z0-9!#$%&'*+/=?^_\`{|}~.-]+@${LABEL}(?:\\.${LABEL})+$`, 'i'), 320),
  hostname: matching(new RegExp(`^${LABEL}(?:\\.${LABEL})*\\.?$`, 'i'), 253),
  ipv4: (text) => net().isIPv4(text),
  ipv6: (text) => !text.includes('%') && net().isIPv6(text),
  regex: (text) => text.length <= 10_000 && isRegex(text),
  uuid: matching(/^(?:urn:uuid:)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i, 45),
  'json-pointer': matching(/^(?:\/(?:[^~/]|~0|~1)*)*$/),
  'json-pointer-uri-fragment': matching(/^#(?:\/(?:[a-z0-9_\-.!$&'()*+,;:=@]|%[0-9a-f]{2}|~0|~1)*)*$/i),
  'relative-json-pointer': matching(/^(?:0|[1-9][0-9]*)(?:#|(?:\/(?:[^~/]|~0|~1)*)*)$/),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/),
}

const LARGEST_INT32 = 2 ** 31

const NUMBERS: Readonly<Record<string, (value: number) => boolean>> = {
  int32: (value) => Number.isInteger(value) && value >= -LARGEST_INT32 && value < LARGEST_INT32,
  int64: (value) => Number.isInteger(value),
}

/** Undefined if the format rejects no value of this type. */
export function formatCheck(
  format: string,
  type: 'string' | 'number',
): ((value: never, run: Evaluation) => boolean) | undefined {
  if (type === 'number') {
    const fits = Object.hasOwn(NUMBERS, format) ? NUMBERS[format] : undefined
    return fits && ((value: number) => fits(value))
  }
  const fits = Object.hasOwn(TEXTS, format) ? TEXTS[format] : undefined
  if (fits === undefined) return undefined
  return (value: string, run) => {
    run.spend(value.length >> 4)
    return fits(value)
  }
}
