/** Other providers of identities: GitHub, and whoever speaks OpenID Connect. Knows nothing of people. */
@NullMarked
package dev.parley.control.identity;

import org.jspecify.annotations.NullMarked;
