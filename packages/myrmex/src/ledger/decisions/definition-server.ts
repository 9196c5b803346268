/** The server that a definition belongs to, by the name of the definition. */

/** It is `shop` of `shop.refund`, `prompt:shop.greet`, `resource:shop:notes://1` and `instructions:shop`. */
export const serverOfDefinition = (name: string): string => /^(?:[a-z]+:)?([^.:]*)/.exec(name)?.[1] ?? name
