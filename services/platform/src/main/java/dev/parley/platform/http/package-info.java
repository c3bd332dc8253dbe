/** Shared HTTP infrastructure: authentication, authorisation, problem details, pagination and server-sent events. */
@NullMarked
package dev.parley.platform.http;

import org.jspecify.annotations.NullMarked;
