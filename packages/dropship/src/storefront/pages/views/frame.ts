/** The frame of every page: head, skip link, header with search and cart, and footer. */

export const frame = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{ title }}</title>
{%- if description %}
<meta name="description" content="{{ description }}">
{%- endif %}
{%- if canonical %}
<link rel="canonical" href="{{ canonical }}">
{%- else %}
<meta name="robots" content="noindex">
{%- endif %}
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/shop/style.css?v={{ style_version }}">
<link rel="icon" type="image/svg+xml" href="/shop/images/mark.svg">
{%- if structured %}
<script type="application/ld+json">{{ structured | json_script }}</script>
{%- endif %}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<div class="wide">
<a class="name" href="/shop/">{{ shop_name }}</a>
<form class="search" role="search" method="get" action="/shop/search">
<label class="unseen" for="q">Search the shop</label>
<input id="q" name="q" type="search" maxlength="100" placeholder="Search" value="{{ query }}">
<button type="submit">Search</button>
</form>
<a class="to-cart" href="/shop/cart">Cart{% if pieces > 0 %} <span class="count">{{ pieces }}<span class="unseen"> in it</span></span>{% endif %}</a>
</div>
{%- if categories.size > 0 %}
<nav class="wide kinds" aria-label="Categories">
<ul>
<li><a href="/shop/"{% if all_shown %} aria-current="page"{% endif %}>All</a></li>
{%- for one in categories %}
<li><a href="/shop/?category={{ one.name | url_encode }}"{% if one.name == category %} aria-current="page"{% endif %}>{{ one.name }}</a></li>
{%- endfor %}
</ul>
</nav>
{%- endif %}
</header>
<main id="main" tabindex="-1" class="wide">
{%- if sales_paused %}
<p class="notice" role="status"><strong>Orders are paused.</strong> There were more refunds than usual, and we take no orders until the reason is known. Your cart is kept.</p>
{%- endif %}
{{ body | markup }}
</main>
<footer class="bottom">
<div class="wide">
<p>{{ shop_name }} is a demonstration: payment is a test, and no money moves.</p>
<nav aria-label="About the shop"><ul><li><a href="/shop/policies">Delivery and returns</a></li><li><a href="/shop/">All products</a></li></ul></nav>
</div>
</footer>
</body>
</html>
`
