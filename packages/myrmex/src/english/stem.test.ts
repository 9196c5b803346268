import { expect, test } from 'vitest'
import { singular, stem } from './stem.ts'

test.each([
  ['file', 'files'],
  ['search', 'searching', 'searched', 'searches'],
  ['query', 'queries'],
  ['box', 'boxes'],
  ['status'],
  ['analysis', 'analyses', 'analyse', 'analyze'],
  ['class', 'classes'],
  ['cancel', 'cancelled', 'cancelling', 'cancellation'],
  ['deliver', 'delivery', 'delivered', 'deliveries'],
  ['arrive', 'arrived', 'arriving', 'arrives'],
  ['refund', 'refunds', 'refunded'],
  ['negotiate', 'negotiations', 'negotiating'],
  ['guarantee', 'guaranteed', 'guarantees'],
  ['stop', 'stopped', 'stopping', "stop's"],
])('%s and its forms have one stem', (...words) => {
  expect(new Set(words.map(stem)).size).toBe(1)
})

test.each([
  ['ring', 'red'],
  ['free', 'fred'],
  ['glass', 'glasses case'],
  ['status', 'state'],
])('%s and %s have two stems', (one, other) => {
  expect(stem(one)).not.toBe(stem(other))
})

test.each([
  ['suppliers', 'supplier'],
  ['boxes', 'box'],
  ['houses', 'house'],
  ['categories', 'category'],
  ['people', 'person'],
  ['status', 'status'],
  ['glass', 'glass'],
])('the singular of %s is %s', (word, expected) => {
  expect(singular(word)).toBe(expected)
})
