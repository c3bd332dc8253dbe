/** Field validation, columns, ids and quotas, shared by the controllers of this service. */
@NullMarked
package dev.parley.control.http;

import org.jspecify.annotations.NullMarked;
