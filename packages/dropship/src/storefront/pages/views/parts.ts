/** Parts of views, as Liquid. */

/** The form that adds a product to the cart, for every page that sells one. */
export const BUY_FORM = `{%- unless paused %}
<form class="buy" method="post" action="/shop/cart">
<input type="hidden" name="sku" value="{{ sku }}">
<div>
<label for="quantity">Pieces</label>
<input id="quantity" name="quantity" type="number" min="1" max="{{ most_pieces }}" value="1" required>
</div>
<button type="submit" name="do" value="add">Add to cart</button>
</form>
{%- endunless %}`

/** Products and total of an order, for the address and payment pages. The section is not closed. */
export const ORDER_SUM = `<section class="sum" aria-labelledby="sum">
<h2 id="sum">What you order</h2>
<ul>
{%- for line in lines %}
<li><span>{{ line.quantity }} × {{ line.title }}</span> <span>{{ line.total }}</span></li>
{%- endfor %}
</ul>
<p class="sum-total"><span>Total with delivery</span> <strong>{{ total }}</strong></p>`
