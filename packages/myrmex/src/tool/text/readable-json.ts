/** JSON for people and programs: indented, without characters that are invisible or that control a terminal. */

/** Such characters are escaped as in JSON, so the value is the same. */
export const readableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u00ad\u061c\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu,
    // One or two UTF-16 units. Text from others may have a hundred thousand of them.
    (character) => unit(character.charCodeAt(0)) + (character.length > 1 ? unit(character.charCodeAt(1)) : ''),
  )

const unit = (code: number): string => `\\u${code.toString(16).padStart(4, '0')}`
