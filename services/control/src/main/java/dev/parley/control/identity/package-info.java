/** External identity providers: GitHub and OpenID Connect. Independent of {@code people}. */
@NullMarked
package dev.parley.control.identity;

import org.jspecify.annotations.NullMarked;
