/** Placeholders that were never replaced. All patterns are bounded, so a long text takes linear time. */
import { visibleText } from '../../reading/visible-text.ts'

const PLACEHOLDERS: readonly RegExp[] = [
  /\b(?:TODO|FIXME|TBD|TBA|XXX+|TKTK)\b/,
  /\blorem ipsum\b/i,
  /\bdolor sit amet\b/i,
  /\{\{[^{}]{0,60}\}\}/,
  /\$\{[^{}]{1,60}\}/,
  /(?<![\w{])\{[A-Za-z_][A-Za-z0-9_. ]{0,40}\}(?!\})/,
  /<%[^%]{0,60}%>/,
  /\{%[^%]{0,60}%\}/,
  /%\([a-z_]{1,40}\)s|(?<![\w%])%[A-Za-z_]{3,40}%(?!\w)/,
  /\[(?:your|insert|enter|add|the)? ?(?:[a-z]{1,20} ){0,3}(?:name|here|date|price|link|url|product|company|customer|address|text|title|number|brand)\]/i,
  /<(?:your|insert|enter)[ _-][^<>]{1,40}>/i,
  /\bplaceholder (?:text|image|copy)\b/i,
  /\b(?:insert|your) (?:text|name|title|copy|product name|company name) here\b/i,
  /\[object Object\]/,
  /\bNaN\b|(?:^|[:,$€£] ?|\b(?:Dear|Hi|Hello|Hey) )undefined\b/,
  /_{4,}/,
]

/** A field that says nothing but this was not filled in. */
const WHOLE =
  /^[\s("'[]*(?:n\/?a|null|none yet|todo|tbd|tbc|tba|xxx+|placeholder|foo|bar|test|asdf|string|\?+|\.{3}|-+)[\s)"'\]]*$/i

/** Also searched for in tags, which a page does not show. Single braces are left out: scripts have them. */
const IN_TAGS = /\{\{[^{}]{0,60}\}\}|<%[^%]{0,60}%>|\{%[^%]{0,60}%\}/

export function placeholderIn(text: string): string | undefined {
  const visible = visibleText(text)
  const whole = text.length < 40 ? WHOLE.exec(visible)?.[0] : undefined
  if (whole !== undefined) return whole
  for (const pattern of PLACEHOLDERS) {
    const found = pattern.exec(visible)
    if (found !== null) return found[0]
  }
  return visible === text ? undefined : IN_TAGS.exec(text)?.[0]
}
