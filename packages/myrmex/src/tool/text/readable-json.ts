/** JSON for people and programs: set out on lines, and nothing in it that is not seen or that a terminal would act on. */

/** What hides or acts is escaped as JSON escapes it, so the value is the same. */
export const readableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u00ad\u061c\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu,
    (character) => Array.from({ length: character.length }, (_, index) => unit(character.charCodeAt(index))).join(''),
  )

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`
