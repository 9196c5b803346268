/**
 * Answers of the client as part of an exact call: people see them, an approval is for the call with them, and the audit has them. Secrets
 * among them are shown and stored nowhere.
 */
import type { InputRequests, InputResponses } from '../protocol/content.ts'
import { isObject, type JsonObject } from '../protocol/json.ts'
import { SecretFilter, type SecretNames, secretNames, secretTexts, suggestsSecret } from '../protocol/secret.ts'

export const NO_ROUNDS: readonly InputResponses[] = Object.freeze([])

/** Names of form fields that the questions mark as secret. */
export function secretAnswerNames(requests: InputRequests): string[] {
  return Object.values(requests).flatMap(({ params }) => {
    const schema = params?.requestedSchema
    if (!isObject(schema) || !isObject(schema.properties)) return []
    const marked = Object.entries(schema.properties)
      .filter(([, field]) => isObject(field) && (field.format === 'password' || field.writeOnly === true))
      .map(([name]) => name)
    return [...secretNames(schema as JsonObject), ...marked].filter((name) => name !== '')
  })
}

/** Fields of answers that count as secret: those that a question marks, and those whose names suggest it. */
export const answerSecrets = (marked: ReadonlySet<string>, own: SecretNames): SecretNames => ({
  has: (name) => name !== '' && (marked.has(name) || own.has(name) || suggestsSecret(name)),
  size: 1,
})

/** One round as it is, several as a list. */
export function shownAnswers(rounds: readonly InputResponses[], secrets: SecretNames): unknown {
  const clean = new SecretFilter(secrets, []).value(rounds)
  return clean.length === 1 ? clean[0] : clean
}

export const answerTexts = (rounds: readonly InputResponses[], secrets: SecretNames): string[] =>
  rounds.length === 0 ? [] : secretTexts(rounds, secrets)

/** Whether all these answers are among the rounds. */
export const isContained = (answers: InputResponses, rounds: readonly InputResponses[]): boolean =>
  Object.entries(answers).every(([key, answer]) =>
    rounds.some((round) => Object.hasOwn(round, key) && isSame(round[key], answer)),
  )

const isSame = (one: unknown, other: unknown): boolean => one === other || JSON.stringify(one) === JSON.stringify(other)
