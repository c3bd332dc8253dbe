/** Keys of model providers. */
@NullMarked
package dev.parley.control.credentials;

import org.jspecify.annotations.NullMarked;
