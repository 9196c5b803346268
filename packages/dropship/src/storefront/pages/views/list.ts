/** A list of products: all, one category, or search results. */

export const list = `<div class="list-head">
<h1>{{ heading }}</h1>
<p class="quiet">{{ summary }}</p>
</div>
{%- if items.size > 0 %}
<ul class="tiles">
{%- for item in items %}
<li class="tile">
<a href="{{ item.url }}">
<img src="{{ item.image }}" alt="" width="400" height="400"{% if forloop.index > 6 %} loading="lazy"{% endif %}>
<span class="tile-title">{{ item.title }}</span>
</a>
<p class="tile-price">{{ item.price }}{% if item.paused %} <span class="badge">Not sold at the moment</span>{% elsif item.low %} <span class="badge">{{ item.low }} left</span>{% endif %}</p>
{%- if item.rating %}
<p class="quiet small">{{ item.rating }} of 5, {{ item.reviews }} reviews</p>
{%- endif %}
</li>
{%- endfor %}
</ul>
{%- else %}
<p>Nothing here. <a href="/shop/">See all products</a>.</p>
{%- endif %}
{%- if last > 1 %}
<nav class="leaf" aria-label="Pages of the list">
{%- if before %}<a rel="prev" href="{{ before }}">Previous</a>{% endif %}
<span>Page {{ number }} of {{ last }}</span>
{%- if after %}<a rel="next" href="{{ after }}">Next</a>{% endif %}
</nav>
{%- endif %}
`
