/** Browsers and tickets: how a caller is known who sends no key. */
@NullMarked
package dev.parley.platform.http.signin;

import org.jspecify.annotations.NullMarked;
