import { expect, test } from 'vitest'
import { isPresentTime, stableText, withoutPlaces } from './stable-text.ts'

const UUIDS = ['9f1b2c3d-0000-4000-8000-1234567890ab', '00000000-1111-4222-8333-abcdefabcdef']

test.each([
  ['nothing differs', 'Two of 2026-05-01', 'Two of 2026-05-01', 'Two of 2026-05-01'],
  ['an id', `Order ${UUIDS[0]}.`, `Order ${UUIDS[1]}.`, 'Order 123e4567-e89b-42d3-a456-426614174000.'],
  ['a moment', 'at 2020-05-01T10:20:30.123Z', 'at 2031-12-09 01:02', 'at 2026-01-31T12:00:00Z'],
  ['a day and a time', 'on 2020-05-01, 9:15', 'on 2021-06-02, 10:45:01', 'on 2026-01-31, 12:00'],
  ['a count', 'It took 17 ms of 3.25 s.', 'It took 8 ms of 4.5 s.', 'It took 42 ms of 42 s.'],
  ['a short id', 'ord_8f3a-x', 'ord_77777777-x', 'ord_a1b2c3-x'],
  ['words', 'Monday, all day', 'Friday, all day', undefined],
  ['the number of words', 'one', 'one and two', undefined],
  ['marks', 'yes!', 'yes?', undefined],
])('%s', (_what, a, b, stable) => {
  expect(stableText(a, b)).toBe(stable)
  // The same, whichever call came first.
  expect(stableText(b, a)).toBe(stable)
  if (stable !== undefined) expect(stableText(stable, b)).toBe(stable)
})

test('a time near the present is not stable, though both calls returned it', () => {
  const now = Date.parse('2026-03-10T12:00:00Z')
  expect(stableText('due 2026-03-11', 'due 2026-03-11', now)).toBe('due 2026-01-31')
  expect(stableText('due 2026-05-11', 'due 2026-05-11', now)).toBe('due 2026-05-11')
  expect([isPresentTime(now - 5, now), isPresentTime(now / 1000, now), isPresentTime(42, now)]).toEqual([
    true,
    true,
    false,
  ])
})

test('folders of the machine are named alike everywhere', () => {
  expect(withoutPlaces('see /tmp/x1/a and /tmp/x1', ['/tmp/x1'])).toBe('see /path/to/a and /path/to')
  expect(withoutPlaces('/etc', ['/'])).toBe('/etc')
})
