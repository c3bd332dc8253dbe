/** What a request, a connection and a stream may cost, decided before it costs anything. */
@NullMarked
package dev.parley.platform.http.limit;

import org.jspecify.annotations.NullMarked;
